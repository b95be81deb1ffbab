import { preset } from '@sidelinja/build-preset'

export default preset({ entry: ['src/index.ts', 'src/job.ts', 'src/view.ts'] })

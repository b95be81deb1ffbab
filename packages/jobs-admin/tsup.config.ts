import { preset } from '@sidelinja/build-preset'

export default preset({ entry: { server: 'src/lib/server/index.ts' } })

import { preset } from '@sidelinja/build-preset'

export default preset({ entry: ['src/main.ts', 'src/worker.ts'], dts: false })

// `npm test`: installs what is missing and hands over to vitest with the arguments given: `npm test -- --project unit backoff`.
import { launch } from './lib/launch.mjs'

await launch('node_modules/vitest/vitest.mjs', { args: ['run', ...process.argv.slice(2)] })

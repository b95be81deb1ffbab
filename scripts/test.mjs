// `npm test`: installs what is missing and hands over to vitest with the arguments given: `npm test -- --project unit backoff`. Without a file or project it is all but what
// takes minutes of its own: `npm run test:browser` and `npm run test:journeys`.
import { launch } from './lib/launch.mjs'

const given = process.argv.slice(2)
const chosen = given.some((argument) => !argument.startsWith('-') || argument.startsWith('--project'))
const most = ['--project', '!browser', '--project', '!journeys']
await launch('node_modules/vitest/vitest.mjs', { args: ['run', ...given, ...(chosen ? [] : most)] })

// `npm run mutate`: installs what is missing and hands over to tests/mutations, which takes guards away and sees tests fail.
import { launch } from './lib/launch.mjs'

await launch('tests/mutations/main.ts', { args: process.argv.slice(2) })

// `npm run new-handler -- my_type [--ai]`: installs what is missing and makes the package of a new job type.
import { launch } from './lib/launch.mjs'

await launch('scripts/new-handler/main.ts', { args: process.argv.slice(2) })

// `npm start`: installs what is missing and hands over to apps/playground. Plain JavaScript, node: imports only, because it runs on
// whatever Node (20 or newer) the machine has, before anything is installed.
import { launch } from './lib/launch.mjs'

await launch('apps/playground/src/main.ts', { conditions: ['@sidelinja/source'], args: process.argv.slice(2) })

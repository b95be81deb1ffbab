// `npm run bench:short`: runs every measurement at its smallest, so that none rots. Its figures mean nothing.
import { launch } from './lib/launch.mjs'

await launch('scripts/lib/run-benches.mjs', { args: process.argv.slice(2) })

// `npm run bench -- drain`: measures the queue beside others; see bench/README.md.
import { launch } from './lib/launch.mjs'

await launch('bench/compare.ts', { args: process.argv.slice(2), conditions: ['@sidelinja/source'] })

// `npm run chaos`: installs what is missing and hands over to tests/chaos, which counts what is lost when things break.
import { launch } from './lib/launch.mjs'

await launch('tests/chaos/main.ts', { conditions: ['@sidelinja/source'], args: process.argv.slice(2) })

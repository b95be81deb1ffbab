// `npm run screenshots`: pictures of the admin page in docs/images; `-- some-folder failing-job` others, or some of them. Needs chromium.
import { launch } from './lib/launch.mjs'

await launch('apps/admin/test/browser/support/take-screenshots.ts', { conditions: ['@sidelinja/source'], args: process.argv.slice(2) })

// `npm run fuzz:tenants`: a hundred thousand random things that users of the admin page ask and do, each answer compared with an oracle.
// `-- --seed 7` the same chances again, `--steps 2000` so many of them.
import { parseArgs } from 'node:util'
import { launch } from './lib/launch.mjs'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) }, steps: { type: 'string', default: '100000' } },
})
for (const [name, value] of Object.entries(values)) {
  if (/^\d{1,9}$/.test(value)) continue
  console.error(`--${name} must be a whole number, got ${value}.`)
  process.exit(2)
}
process.env.SIDELINJA_TEST_FUZZ_SEED = values.seed
process.env.SIDELINJA_TEST_FUZZ_STEPS = values.steps
await launch('node_modules/vitest/vitest.mjs', {
  args: ['run', '--disable-console-intercept', '--project', 'database', 'packages/jobs-admin/test/tenant-fuzz.test.ts'],
})

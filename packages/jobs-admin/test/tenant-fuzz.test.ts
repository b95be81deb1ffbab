import { expect, inject, test } from 'vitest'
import { useAdmin } from './support.ts'
import { runFuzz } from './tenants/run-fuzz.ts'

const { steps, seed } = inject('fuzz')
const admin = useAdmin()

test(`${steps} things that random users ask and do are answered as an oracle knows, and nobody sees what is not theirs`, {
  timeout: 60_000 + steps * 100,
}, async () => {
  console.log(`tenant fuzz: ${steps} steps, seed ${seed}`)
  const started = performance.now()
  const progress = (step: number) => {
    if (steps > 1_000) console.log(`${step} of ${steps} steps, ${Math.round((performance.now() - started) / 1_000)} s`)
  }
  const findings = await runFuzz(admin, { seed, steps, progress })
  expect(findings, `again: npm run fuzz:tenants -- --seed ${seed} --steps ${steps}`).toEqual({ leaks: [], wrong: [] })
})

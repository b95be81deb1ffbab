import { describe, expect, inject, test } from 'vitest'
import { type TestAdmin, useAdmin } from './support.ts'
import type { Walls } from './tenants/ask.ts'
import { type Findings, runFuzz } from './tenants/run-fuzz.ts'
import { withoutFilters } from './tenants/without-filters.ts'

const { seed } = inject('fuzz')
const steps = 200

async function run(admin: TestAdmin, walls: Walls): Promise<Findings> {
  if (walls === 'rows') await admin.database.query('grant select on nodes to queue_web')
  return runFuzz(admin, { seed, steps, walls })
}

describe('tenants are kept apart', () => {
  describe('by the filters of the statements alone, where the login is a superuser,', () => {
    const admin = useAdmin({}, { asSuperuser: true })
    test(`in ${steps} steps`, async () => {
      expect(await run(admin, 'filters'), `seed ${seed}`).toEqual({ leaks: [], wrong: [] })
    })
  })

  describe('by row-level security alone, where every filter names all collections,', () => {
    const admin = useAdmin({}, { config: withoutFilters })
    test(`in ${steps} steps`, async () => {
      expect(await run(admin, 'rows'), `seed ${seed}`).toEqual({ leaks: [], wrong: [] })
    })
  })

  describe('and with neither', () => {
    const admin = useAdmin({}, { asSuperuser: true, config: withoutFilters })
    test('it is seen at once', async () => {
      expect((await run(admin, 'none')).leaks).not.toEqual([])
    })
  })
})

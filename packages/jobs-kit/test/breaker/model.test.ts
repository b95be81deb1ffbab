import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admitServiceCall } from '../../src/storage/breakers/admit-service-call.ts'
import { type CallRecord, recordServiceCall } from '../../src/storage/breakers/record-service-call.ts'
import { useBreakers } from './support.ts'

// What may happen to a breaker, in any order, against a model of it in a few lines.

const breakers = useBreakers()
type Verdict = CallRecord['verdict']
type Move = { do: 'begin' } | { do: 'end'; which: number; verdict: Verdict } | { do: 'due' | 'expire' | 'reset' }

interface Call {
  opening: number
  probe: string | null
}

function newModel() {
  return { openings: 0, failures: 0, open: false, probes: 0, due: false, probe: null as string | null, expired: false }
}
type Model = ReturnType<typeof newModel>

function admits({ open, due, probe, expired }: Model): 'call' | 'probe' | 'nobody' {
  if (!open) return 'call'
  return due && (probe === null || expired) ? 'probe' : 'nobody'
}

function ended(model: Model, { opening, probe }: Call, verdict: Verdict): void {
  const current = opening === model.openings
  if (probe !== null) {
    if (verdict === 'success' && current && model.open) close(model)
    if (verdict === 'success' || model.probe !== probe) return
    Object.assign(model, { probe: null, due: verdict === 'none', probes: model.probes + (verdict === 'none' ? 0 : 1) })
  } else if (current && !model.open && verdict !== 'none') {
    model.failures = verdict === 'success' ? 0 : model.failures + 1
    if (verdict !== 'fault' && model.failures < 5) return
    Object.assign(model, { open: true, openings: model.openings + 1, due: false })
  }
}

function close(model: Model): void {
  Object.assign(model, { ...newModel(), openings: model.openings })
}

function stateOf({ openings, failures, open, probes, probe }: Model) {
  return { openings, failures, open, probes, probing: probe !== null }
}

const verdict = fc.constantFrom<Verdict>('success', 'success', 'failure', 'failure', 'failure', 'failure', 'fault', 'none')
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'begin' } as const) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.constantFrom(0, 0, 0, 1, 2, 3), verdict }) },
  { weight: 6, arbitrary: fc.constant({ do: 'due' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'expire' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' } as const) },
)

describe('a breaker', () => {
  test('does what the model does, whatever happens in whatever order', async () => {
    let [opened, probed, closed] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 60 }), async (moves) => {
        await breakers.database.pool.query('delete from service_breakers')
        const model = newModel()
        const calls: Call[] = []
        for (const each of moves) {
          const before = model.open
          await play(each, model, calls)
          if (model.open && !before) opened++
          if (!model.open && before && each.do === 'end') closed++
          if (each.do === 'begin' && calls.at(-1)?.probe) probed++
          expect((await breakers.row()) ?? stateOf(newModel())).toMatchObject(stateOf(model))
        }
      }),
      { numRuns: 100 },
    )
    // It got around.
    expect(Math.min(opened, probed, closed)).toBeGreaterThan(0)
  })
})

async function play(move: Move, model: Model, calls: Call[]): Promise<void> {
  const change = (set: string, where: string) => breakers.database.pool.query(`update service_breakers set ${set} where ${where}`)
  switch (move.do) {
    case 'begin': {
      const expected = admits(model)
      const { admitted, opening, probe } = await admitServiceCall(breakers.db, 'captions')
      expect(admitted ? (probe ? 'probe' : 'call') : 'nobody').toBe(expected)
      if (probe) Object.assign(model, { probe, expired: false })
      if (admitted) calls.push({ opening, probe })
      return
    }
    case 'end': {
      // Mostly the newest.
      const [call] = calls.splice(calls.length - 1 - (move.which % Math.max(calls.length, 1)), 1)
      if (!call) return
      const recorded = { service: 'captions', verdict: move.verdict, quietMs: 0, code: null, message: null, status: null }
      const after = await recordServiceCall(breakers.db, { ...recorded, ...call })
      ended(model, call, move.verdict)
      expect(after?.open ?? false).toBe(model.open)
      return
    }
    case 'due':
      await change('probe_at = clock_timestamp()', 'opened_at is not null')
      model.due = model.open
      return
    case 'expire':
      await change('probe_expires_at = clock_timestamp()', 'probe_id is not null')
      model.expired = model.probe !== null
      return
    case 'reset': {
      const { rows } = await breakers.database.pool.query(`select reset_service_breaker('captions') as closed`)
      expect(rows).toEqual([{ closed: model.open }])
      close(model)
    }
  }
}

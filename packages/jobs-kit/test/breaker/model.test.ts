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

class Model {
  openings = 0
  failures = 0
  open = false
  probes = 0
  due = false
  /** The newest probe, until it is over. */
  probe: string | null = null
  expired = false

  admits(): 'call' | 'probe' | 'nobody' {
    if (!this.open) return 'call'
    return this.due && (this.probe === null || this.expired) ? 'probe' : 'nobody'
  }

  began(probe: string | null): void {
    if (probe === null) return
    this.probe = probe
    this.expired = false
  }

  ended({ opening, probe }: Call, verdict: Verdict): void {
    const current = opening === this.openings
    if (probe !== null) {
      if (verdict === 'success' && current && this.open) this.close()
      else if (this.probe === probe && verdict !== 'success') {
        this.probe = null
        this.due = verdict === 'none'
        if (verdict !== 'none') this.probes++
      }
    } else if (current && !this.open && verdict !== 'none') {
      this.failures = verdict === 'success' ? 0 : this.failures + 1
      if (verdict === 'fault' || this.failures === 5) Object.assign(this, { open: true, openings: this.openings + 1, due: false })
    }
  }

  close(): void {
    Object.assign(this, { open: false, failures: 0, probes: 0, probe: null, expired: false, due: false })
  }

  state() {
    return { openings: this.openings, failures: this.failures, open: this.open, probes: this.probes, probing: this.probe !== null }
  }
}

const verdict = fc.constantFrom<Verdict>('success', 'failure', 'failure', 'failure', 'fault', 'none')
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'begin' } as const) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(4), verdict }) },
  { weight: 3, arbitrary: fc.constant({ do: 'due' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'expire' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' } as const) },
)

describe('a breaker', () => {
  test('does what the model does, whatever happens in whatever order', async () => {
    let [opened, probed, closed] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 20, maxLength: 60 }), async (moves) => {
        await breakers.database.pool.query('delete from service_breakers')
        const model = new Model()
        const calls: Call[] = []
        for (const each of moves) {
          const before = model.open
          await play(each, model, calls)
          if (model.open && !before) opened++
          if (!model.open && before && each.do === 'end') closed++
          if (each.do === 'begin' && calls.at(-1)?.probe) probed++
          expect((await breakers.row()) ?? new Model().state()).toMatchObject(model.state())
        }
      }),
      { numRuns: 60 },
    )
    // It got around.
    expect(Math.min(opened, probed, closed)).toBeGreaterThan(5)
  })
})

async function play(move: Move, model: Model, calls: Call[]): Promise<void> {
  const change = (set: string, where: string) => breakers.database.pool.query(`update service_breakers set ${set} where ${where}`)
  switch (move.do) {
    case 'begin': {
      const expected = model.admits()
      const { admitted, opening, probe } = await admitServiceCall(breakers.db, 'captions')
      expect(admitted ? (probe ? 'probe' : 'call') : 'nobody').toBe(expected)
      model.began(probe)
      if (admitted) calls.push({ opening, probe })
      return
    }
    case 'end': {
      const [call] = calls.splice(move.which % Math.max(calls.length, 1), 1)
      if (!call) return
      const recorded = { service: 'captions', verdict: move.verdict, quietMs: 0, code: null, message: null, status: null }
      const after = await recordServiceCall(breakers.db, { ...recorded, ...call })
      model.ended(call, move.verdict)
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
      model.close()
    }
  }
}

import { describe, expect, test } from 'vitest'
import { createPatternMatcher } from './match-patterns.ts'

const never = new AbortController().signal
const found = async (pattern: string, text: string) => (await createPatternMatcher()([pattern], text, never)).get(pattern)

test.each([
  ['^Vedtak: \\d+', 'Vedtak: 12', true],
  ['(?i:VEDTAK)', 'vedtak', true],
  ['æ|ø', 'Åse', false],
  ['\ud800', 'a', false],
])('%s in %s: %s', async (pattern, text, is) => expect(await found(pattern, text)).toBe(is))

describe('cannot hold the worker', () => {
  test.each([
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['(.*)*(.*)*x', 'a'.repeat(40_000)],
    ['(?:a{0,1000}){0,1000}b', 'a'.repeat(1_000)],
    [`${'(a?){50}'.repeat(50)}x`, 'a'.repeat(3_000)],
    ['(?:(?:(?:(?:a{99}){99}){99}){99}){99}', 'a'],
  ])('%s', async (pattern, text) => {
    const before = process.cpuUsage()
    expect(await found(pattern, text)).not.toBe(true)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  })

  test('one after which others are looked for', async () => {
    const said = await createPatternMatcher()(['^(a+)+$', 'b', 'c'], `${'a'.repeat(40)}b`, never)
    expect([...said]).toEqual([
      ['^(a+)+$', undefined],
      ['b', true],
      ['c', false],
    ])
  })

  // V8 does not look at its clock while it compiles; this one takes longer than the universe.
  test('what is never compiled, which costs the others nothing, and is tried once', { timeout: 20_000 }, async () => {
    const bomb = `(?:${'a?'.repeat(200)})aaaaaaaaa`
    const match = createPatternMatcher()
    let turns = 0
    const turning = setInterval(() => turns++, 50)
    const said = await match(['a', bomb, 'c', 'a'], 'aaa', never)
    clearInterval(turning)
    expect([...said]).toEqual([
      ['a', true],
      ['c', false],
    ])
    expect(turns).toBeGreaterThan(10)
    const again = performance.now()
    expect((await match([bomb], 'b', never)).get(bomb)).toBeUndefined()
    expect(performance.now() - again).toBeLessThan(2_000)
  })
})

test('nothing of the process is to be had where the pattern runs', async () => {
  expect(await found('x', 'x')).toBe(true)
  expect(await found('[', 'x')).toBeUndefined()
})

test('ends with the signal, and its reason', async () => {
  const stop = new AbortController()
  const match = createPatternMatcher()(['a'], 'a', stop.signal)
  stop.abort(new Error('stopped'))
  await expect(match).rejects.toThrow('stopped')
})

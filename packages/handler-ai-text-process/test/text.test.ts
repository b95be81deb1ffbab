import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { note, notice, report } from './samples.ts'
import { answering, dataOf, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
afterEach(() => t.drop())

describe('a text', () => {
  test('is cleaned by the demo model without losing anything', async () => {
    t = await setup(inject('server'))
    const result = await t.run({ mode: 'rens', text: note })
    expect(result).toMatchObject({ note: null, node: null, parts: 1, uncertain: [], dropped: 0 })
    expect(result.text).toContain('Jeg snakket med Ingrid Solberg')
    expect(result.text).not.toMatch(/Eh,|at at/)
    expect(result.text).toContain('https://nordvik.example.no/svommehall')
  })

  test.each([
    ['bokmål, ikke nynorsk', note],
    ['nynorsk, ikkje bokmål', notice],
  ])('is asked for in its own form of Norwegian: %s', async (words, text) => {
    t = await setup(inject('server'))
    for (const mode of ['rens', 'oppsummer', 'fakta', 'skriv_om'] as const) {
      const result = await t.run({ mode, text })
      expect(result.uncertain.filter(({ kind }) => kind === 'language')).toEqual([])
    }
    expect(t.gateway.requests.map(({ chat }) => chat?.messages[0]?.content.includes(words))).toEqual([true, true, true, true])
  })

  test('that came back in the other form is told of', async () => {
    t = await setup(
      inject('server'),
      answering(() => 'Jeg vil ikke at vi skal glemme dugnaden. Hvorfor møter ikke flere opp?'),
    )
    expect((await t.run({ mode: 'oppsummer', text: notice })).uncertain).toEqual([{ kind: 'language', text: 'nn → nb' }])
  })

  test.each(['rens', 'skriv_om'] as const)('says what differs: %s', async (mode) => {
    t = await setup(
      inject('server'),
      answering(({ text }) => text.replace('97,5', '79,5').replace('Per Aune', 'Per Moen').replace('3. mars', 'i vår')),
    )
    const { uncertain } = await t.run({ mode, text: note })
    expect(uncertain).toEqual([
      { kind: 'lost_number', text: '97500000' },
      { kind: 'lost_number', text: '3' },
      { kind: 'lost_name', text: 'Aune' },
      { kind: 'lost_day', text: 'mars' },
      { kind: 'new_number', text: '79500000' },
      { kind: 'new_name', text: 'Moen' },
    ])
  })

  test('is compared by the names that the collection knows, too', async () => {
    t = await setup(
      inject('server'),
      answering(() => 'Jeg snakket med dem om hallen i går.'),
    )
    const collectionNodeId = await t.collection({ names: ['Åse Nordvik'] })
    const { uncertain } = await t.run({ mode: 'rens', text: 'jeg snakket med åse nordvik om hallen i går' }, collectionNodeId)
    expect(uncertain.map(({ kind, text }) => `${kind} ${text}`).toSorted()).toEqual(['lost_name Nordvik', 'lost_name Åse'])
  })

  test('says which part lost most of its words', async () => {
    t = await setup(
      inject('server'),
      answering(({ text }) => text.slice(0, 80)),
    )
    const { uncertain } = await t.run({ mode: 'rens', text: note })
    expect(uncertain.filter(({ kind }) => kind === 'length')).toHaveLength(1)
  })

  test('may be shortened, but nothing may be added', async () => {
    t = await setup(
      inject('server'),
      answering(() => 'Svømmehallen i Nordvik koster 120 millioner, sier Statsråd Lunde til Ingrid Solberg.'),
    )
    const { uncertain } = await t.run({ mode: 'oppsummer', text: note })
    expect(uncertain).toEqual([
      { kind: 'new_number', text: '120000000' },
      { kind: 'new_name', text: 'Lunde' },
      { kind: 'new_name', text: 'Statsråd' },
    ])
  })

  test('gives facts, and none whose quote it does not say', async () => {
    const facts = [
      { fact: 'Hallen koster 97,5 millioner.', quote: 'nå er det snakk om 97,5 millioner' },
      { fact: 'Hallen koster 97,5 millioner.', quote: 'snakk om 97,5 millioner' },
      { fact: 'Per Aune går av.', quote: 'rådmann Per Aune går av' },
      { fact: 'Se https://ondskap.example/x for mer.', quote: 'møtet er på torsdag' },
    ]
    t = await setup(
      inject('server'),
      answering(() => ({ facts })),
    )
    const result = await t.run({ mode: 'fakta', text: note })
    expect(result).toMatchObject({ text: '- Hallen koster 97,5 millioner.\n- Se … for mer.', dropped: 1 })
  })

  test('gives no empty facts, and no more than 60 of a part', async () => {
    const quote = 'snakk om 97,5 millioner'
    const facts = [
      ...['', ' \n', '\u200b', 'https://ondskap.example/x'].map((fact) => ({ fact, quote })),
      ...Array.from({ length: 59 }, (_, n) => ({ fact: `Faktum ${n}.`, quote })),
    ]
    t = await setup(
      inject('server'),
      answering(() => ({ facts })),
    )
    const result = await t.run({ mode: 'fakta', text: note })
    expect(result).toMatchObject({ dropped: 4, cut: 3 })
    expect(result.text?.split('\n')).toEqual(Array.from({ length: 56 }, (_, n) => `- Faktum ${n}.`))
    expect(t.gateway.requests).toHaveLength(1)
  })

  test('comes with the facts that the demo model finds', async () => {
    t = await setup(inject('server'))
    const result = await t.run({ mode: 'fakta', text: note })
    expect(result.text).toMatch(/^- .*\n- /)
    expect(result.dropped).toBe(0)
  })
})

describe('a long text', () => {
  const long = report(300)

  test.each(['rens', 'skriv_om'] as const)('is worked on in parts, and nothing is lost: %s', async (mode) => {
    t = await setup(
      inject('server'),
      answering(({ text }) => text.trim()),
    )
    expect(long.length).toBeGreaterThan(50_000)
    const result = await t.run({ mode, text: long })
    expect(result.parts).toBeGreaterThan(3)
    expect(result).toMatchObject({ text: long, uncertain: [] })
    expect(t.gateway.requests).toHaveLength(result.parts)
  })

  test('tells of what only one part lost, and cuts the list where it is too long', async () => {
    t = await setup(
      inject('server'),
      answering(({ text }) => text.replace('sak 1150', 'saken')),
    )
    expect((await t.run({ mode: 'rens', text: long })).uncertain).toEqual([{ kind: 'lost_number', text: '1150' }])
    await t.drop()
    t = await setup(
      inject('server'),
      answering(({ text }) => text.replaceAll(/sak \d+/g, 'saken')),
    )
    const { uncertain } = await t.run({ mode: 'rens', text: long })
    expect(uncertain).toHaveLength(200)
    expect(uncertain.at(-1)).toEqual({ kind: 'more', text: '101' })
  })

  test('is summed up part by part, and then together', async () => {
    t = await setup(
      inject('server'),
      answering(({ summaries, text }) =>
        summaries ? `Alt: ${summaries.length} deler. Se www.utenfra.example` : `Om sak ${/\d+/.exec(text)?.[0]}.`,
      ),
    )
    const result = await t.run({ mode: 'oppsummer', text: long })
    expect(result.text).toBe(`Alt: ${result.parts} deler. Se …`)
    expect(t.gateway.requests).toHaveLength(result.parts + 1)
  })

  test('has the facts of all its parts', async () => {
    t = await setup(
      inject('server'),
      answering(({ text }) => ({ facts: [{ fact: `${/sak \d+/.exec(text)?.[0]}`, quote: 'ikke kan vente' }] })),
    )
    const result = await t.run({ mode: 'fakta', text: long })
    expect(result.text?.split('\n')).toHaveLength(result.parts)
  })

  test('that the model finds too long is asked for in halves', async () => {
    t = await setup(inject('server'), { contextTokens: 8_500 })
    const result = await t.run({ mode: 'rens', text: report(60) })
    expect(t.gateway.requests.length).toBeGreaterThan(result.parts)
    expect(result.uncertain).toEqual([])
  })

  test('of blanks, mostly, asks nobody about those', async () => {
    t = await setup(inject('server'))
    const result = await t.run({ mode: 'rens', text: `Hei du.${'\n'.repeat(30_000)}Ha det.` })
    expect(result.text).toMatch(/^Hei du\.\n+Ha det\.$/)
    expect(t.gateway.requests.map(({ chat }) => chat && dataOf(chat).text.trim())).toEqual(['Hei du.', 'Ha det.'])
  })
})

describe('a reply that was cut', () => {
  test.each(['{"text":"Jeg snak', JSON.stringify({ text: note })])('is a failure that says so, and leaves nothing: %s', async (content) => {
    t = await setup(inject('server'), { answer: () => gatewayReply(content, { finishReason: 'length' }) })
    const { collectionNodeId, nodeId } = await t.arrange('Bare én setning.')
    await expect(t.run({ mode: 'rens', nodeId, replace: true }, collectionNodeId)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'REPLY_CUT',
    })
    expect(await t.content(nodeId)).toBe('Bare én setning.')
  })
})

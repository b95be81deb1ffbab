import { randomUUID } from 'node:crypto'
import { listProfiles } from '@sidelinja/jobs-kit/storage'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { recorded, reply } from './recorded.ts'
import { nynorskProgramme, programme, statements } from './samples.ts'
import { dataOf, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const says = (stances: object[]) => () => gatewayReply(JSON.stringify({ stances }))
const [schools, toll] = reply.stances
const stancesOf = async (arranged: Parameters<typeof t.draft>[0]) => (await t.draft(arranged))?.content.stances.map(({ stance }) => stance)

describe('a profile', () => {
  test('is a draft, labelled as synthetic, with a stance where the programme has one, its quotes and their pages', async () => {
    const arranged = await t.arrange()
    t.answers(() => ({ status: 200, body: JSON.stringify(recorded), headers: { 'content-type': 'application/json' } }))
    expect(await t.run(arranged)).toEqual({
      ...{ profileId: expect.any(String), note: null, profile: 'draft', statements: 4, stances: 3, undecided: 0 },
      ...{ pages: 3, parts: 1, dropped: {}, cut: {} },
    })
    expect(dataOf(t.gateway.requests.at(-1)?.chat)).toEqual({
      statements: statements.map((text, n) => ({ ref: `S${n + 1}`, text })),
      pages: programme.split('\f').map((text, n) => ({ page: n + 1, text })),
    })
    const draft = await t.draft(arranged)
    expect(draft).toMatchObject({
      ...{ party: 'Bygdelista', synthetic: true, language: 'nb', decidedBy: null },
      programmeNodeId: arranged.programmeNodeId,
    })
    expect(draft?.content.label).toMatch(/^Syntetisk profil/)
    expect(draft?.content.stances).toEqual(
      reply.stances.map(({ statement_ref: _, evidence, ...said }, n) => ({
        ...{ statementNodeId: arranged.statementNodeIds[n], statement: statements[n], evidence, ...said },
        confidence: said.stance === null ? null : said.confidence,
      })),
    )
    expect(await listProfiles(t.storage, arranged.collectionNodeId, { state: 'published' })).toEqual([])
  })

  test.each([
    ['without a quote', { evidence: [] }],
    ['with a quote that nobody wrote', { evidence: [{ page: 1, quote: 'Vi vil legge ned skolene' }] }],
    ['with a quote of another page', { evidence: [{ page: 2, quote: schools?.evidence[0]?.quote }] }],
    ['with a page that is not there', { evidence: [{ page: 99, quote: schools?.evidence[0]?.quote }] }],
    ['with a quote of words that stand anywhere', { evidence: [{ page: 1, quote: 'kommunen.' }] }],
    ['about what was not asked', { statement_ref: 'S9' }],
    ['about an id', { statement_ref: randomUUID() }],
  ])('has null for a stance %s, and counts it', async (_, wrong) => {
    const arranged = await t.arrange()
    t.answers(says([{ ...schools, ...wrong }, toll ?? {}]))
    const { stances, dropped } = await t.run(arranged)
    expect([stances, dropped.stances]).toEqual([1, 1])
    expect(await stancesOf(arranged)).toEqual([null, -2, null, null])
  })

  test('of a programme that is silent is null for each statement', async () => {
    const arranged = await t.arrange()
    t.answers(says(reply.stances.map((each) => ({ ...each, stance: null }))))
    expect(await t.run(arranged)).toMatchObject({ stances: 0, profile: 'draft', dropped: {} })
    expect((await t.draft(arranged))?.content.stances.map(({ stance, evidence, reasoning }) => [stance, evidence, reasoning])).toEqual(
      Array(4).fill([null, [], null]),
    )
  })

  test('is about the statements that the payload names, else all of the collection', async () => {
    const arranged = await t.arrange()
    t.answers(says([toll ?? {}]))
    const statementNodeIds = [arranged.statementNodeIds[3] ?? '']
    expect((await t.run(arranged, { statementNodeIds })).statements).toBe(1)
    expect((await t.draft(arranged))?.content.stances.map(({ statement }) => statement)).toEqual([statements[3]])
  })

  test('in nynorsk is labelled in nynorsk, by the demo model only with what stands there', async () => {
    t.answers(undefined)
    const arranged = await t.arrange({
      content: nynorskProgramme,
      about: ['Sjukeheimen i Fjellbygda bør leggjast ned.', 'Kommunen bør gje tilskot til skogplanting.', 'Alle bør få gratis ski.'],
    })
    expect((await t.run(arranged)).dropped).toEqual({})
    expect((await t.draft(arranged))?.content.label).toContain('ikkje svart sjølv')
    expect(await stancesOf(arranged)).toEqual([-1, 1, null])
  })

  describe('of a long programme', () => {
    /** Page n says yes to statement n % 30 + 1, but page 151 says no to the first one. */
    const pages = Array.from(
      { length: 151 },
      (_, n) =>
        `Side ${n + 1}. Vi er ${n === 150 ? 'nå helt imot' : 'for'} forslag nummer ${(n % 150) % 30} fordi det er bra for bygda og for alle som bor der, sier partiet.`,
    )
    const about = Array.from({ length: 30 }, (_, n) => `Forslag nummer ${n} bør vedtas.`)
    const answer = (settles: (quotes: { page: number; quote: string }[]) => object) => {
      t.answers(({ chat }) => {
        const { statements: asked, pages: shown } = dataOf(chat)
        if (!shown)
          return gatewayReply(
            JSON.stringify({
              stances: asked.map(({ ref, said = [] }) => ({ statement_ref: ref, confidence: 0.6, reasoning: 'Samlet.', ...settles(said) })),
            }),
          )
        const stances = asked.flatMap(({ ref, text }) => {
          const page = shown.findLast((each) => each.text.includes(` ${text.split(' bør')[0]?.toLowerCase()} `))
          const evidence = page && [{ page: page.page, quote: page.text.split('. ')[1] }]
          return [
            {
              statement_ref: ref,
              stance: page ? (page.page === 151 ? -2 : 2) : null,
              confidence: 0.8,
              evidence: evidence ?? [],
              reasoning: null,
            },
          ]
        })
        return gatewayReply(JSON.stringify({ stances }))
      })
    }

    test('is made of parts, each a step, all pages for all statements; what two pages say differently is settled by their quotes', {
      timeout: 60_000,
    }, async () => {
      const arranged = await t.arrange({ content: pages.join('\f'), about })
      const asked = t.gateway.requests.length
      answer((quotes) => ({ stance: 1, evidence: quotes }))
      const result = await t.run(arranged)
      expect(result.parts).toBeGreaterThan(3)
      expect(result).toMatchObject({ statements: 30, stances: 30, undecided: 0, pages: 151, dropped: {} })

      const sent = t.gateway.requests.slice(asked).map(({ chat }) => dataOf(chat))
      const pairs = sent.flatMap((data) => data.pages?.flatMap(({ page }) => data.statements.map(({ text }) => `${page} ${text}`)) ?? [])
      expect(new Set(pairs).size).toBe(151 * 30)
      expect(sent.filter((data) => !data.pages).map((data) => data.statements.map(({ text }) => text))).toEqual([[about[0]]])
      const stances = (await t.draft(arranged))?.content.stances ?? []
      expect(stances.map(({ stance }) => stance)).toEqual([1, ...Array(29).fill(2)])
      expect(stances[0]?.evidence.map(({ page }) => page)).toContain(151)
    })

    test.each([
      ['the model says so', () => ({ stance: null, evidence: [] })],
      ['it is settled by what was not quoted', () => ({ stance: 2, evidence: [{ page: 2, quote: 'Vi er for forslag nummer 1' }] })],
    ])('stays open where %s, with the quotes of both', { timeout: 60_000 }, async (_, settles) => {
      const arranged = await t.arrange({ content: pages.join('\f'), about })
      answer(settles)
      expect(await t.run(arranged)).toMatchObject({ stances: 29, undecided: 1 })
      const [first] = (await t.draft(arranged))?.content.stances ?? []
      expect([first?.stance, first?.evidence.length]).toEqual([null, expect.any(Number)])
      expect(first?.evidence.map(({ page }) => page)).toEqual(expect.arrayContaining([61, 151]))
    })
  })
})

describe('nobody is asked', () => {
  test.each([
    ['no statements', { about: [] }],
    ['no text', { content: ' \f ' }],
    ['no text', { content: null }],
  ])('where there are %s', async (note, options) => {
    const asked = t.gateway.requests.length
    const arranged = await t.arrange(options)
    expect(await t.run(arranged)).toMatchObject({ note, profileId: null })
    expect([await t.draft(arranged), t.gateway.requests.length]).toEqual([undefined, asked])
  })

  test("about another collection's programme or statements, nor about too much", async () => {
    const asked = t.gateway.requests.length
    const [mine, other] = [await t.arrange(), await t.arrange()]
    const inMine = { kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' }
    await expect(t.run({ ...mine, programmeNodeId: other.programmeNodeId })).rejects.toMatchObject(inMine)
    for (const id of [other.statementNodeIds[0] ?? '', mine.programmeNodeId, randomUUID()]) {
      await expect(t.run(mine, { statementNodeIds: [mine.statementNodeIds[0] ?? '', id] })).rejects.toMatchObject(inMine)
    }
    const long = await t.arrange({ content: 'x'.repeat(3_000_001) })
    await expect(t.run(long)).rejects.toMatchObject({ kind: 'permanent', code: 'TEXT_TOO_LONG' })
    const many = await t.arrange({ about: Array.from({ length: 201 }, (_, n) => `Påstand ${n}.`) })
    await expect(t.run(many)).rejects.toMatchObject({ kind: 'permanent', code: 'STATEMENTS_TOO_MANY' })
    expect(t.gateway.requests).toHaveLength(asked)
  })
})

test.each(['{"stances":[{"statem', JSON.stringify(reply)])(
  'a reply that was cut is a failure that says so, and leaves nothing: %#',
  async (content) => {
    t.answers(() => gatewayReply(content, { finishReason: 'length' }))
    const arranged = await t.arrange({ content: 'Bare én setning.' })
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect(await t.draft(arranged)).toBeUndefined()
  },
)

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
        ...{ statementNodeId: arranged.statementNodeIds[n], statement: statements[n], ...said },
        // Of the part that was quoted the sentence.
        evidence:
          n === 2 ? [{ page: 2, quote: 'Nattbussen må kjøre hele året, og den skal være gratis for ungdom under 20 år.' }] : evidence,
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

  test('shows the sentences of a quote that was cut out of a "not"', async () => {
    const arranged = await t.arrange()
    t.answers(says([{ ...toll, evidence: [{ page: 2, quote: 'ha bompenger på veien over fjellet' }] }]))
    await t.run(arranged)
    expect((await t.draft(arranged))?.content.stances[1]?.evidence).toEqual([
      { page: 2, quote: 'Vi vil ikke ha bompenger på veien over fjellet.' },
    ])
  })

  test.each([
    ['settles it', -1, { stances: 3, undecided: 0 }],
    ['does not settle it', null, { stances: 2, undecided: 1 }],
  ])('of a reply that says both yes and no asks once more, and is null where that %s', async (_, settled, told) => {
    const arranged = await t.arrange()
    t.answers(({ chat }) => {
      const { statements: asked, pages } = dataOf(chat)
      if (pages) return gatewayReply(JSON.stringify({ stances: [...reply.stances, { ...toll, stance: 2 }] }))
      expect(asked.map(({ said }) => said?.map(({ stance }) => stance))).toEqual([[2, -2]])
      return gatewayReply(JSON.stringify({ stances: [{ ...toll, statement_ref: 'S1', stance: settled }] }))
    })
    expect(await t.run(arranged)).toMatchObject(told)
    expect((await stancesOf(arranged))?.[1]).toBe(settled)
  })

  test('of a reply that settles it both ways is null', async () => {
    const arranged = await t.arrange()
    t.answers(({ chat }) => {
      const ref = dataOf(chat).pages ? 'S2' : 'S1'
      return gatewayReply(JSON.stringify({ stances: [2, -2].map((stance) => ({ ...toll, statement_ref: ref, stance })) }))
    })
    expect(await t.run(arranged)).toMatchObject({ stances: 0, undecided: 1 })
  })

  describe('is settled by nothing but the quotes of that statement', () => {
    const fill = 'Så noe om været og årstidene i kommunen vår. '.repeat(420)
    const [yes, no, bus, free] = [
      'Vi vil bygge skole i sentrum.',
      'Vi er imot skole i sentrum.',
      'Vi er imot gratis buss til alle.',
      'Vi vil ha gratis buss til alle.',
    ]
    const content = [`${yes} ${free} ${fill}`, `${no} Vi drømmer mye. ${bus} ${fill}`].join('\f')
    const settledBy = async (evidence: object[]) => {
      const arranged = await t.arrange({ content, about: ['Skole i sentrum.', 'Gratis buss.'] })
      t.answers(({ chat }) => {
        const { pages } = dataOf(chat)
        if (!pages)
          return gatewayReply(JSON.stringify({ stances: [{ statement_ref: 'S1', stance: -2, confidence: 1, reasoning: null, evidence }] }))
        const isFirst = pages[0]?.text.startsWith(yes) ?? false
        const isSecond = pages.some(({ text }) => text.startsWith(no))
        const said = isFirst ? [yes, free] : isSecond ? [no, bus] : []
        const stances = said.map((quote, n) => ({
          ...{
            statement_ref: `S${n + 1}`,
            stance: isFirst ? 2 : -2,
            confidence: 1,
            reasoning: null,
            evidence: [{ page: isFirst ? 1 : 2, quote }],
          },
        }))
        return gatewayReply(JSON.stringify({ stances }))
      })
      await t.run(arranged)
      return (await stancesOf(arranged))?.[0]
    }

    test.each([
      ['one of them', -2, no],
      ['a piece of one', -2, 'er imot skole i sentrum'],
      ['two of them joined', null, `${no} ${bus}`],
      ["another statement's", null, bus],
      ['what stands between them', null, 'Vi drømmer mye'],
    ])('%s: %j', async (_, stance, quote) => {
      expect(await settledBy([{ page: 2, quote }])).toBe(stance)
    })

    test('one of another page', async () => expect(await settledBy([{ page: 1, quote: no }])).toBeNull())
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

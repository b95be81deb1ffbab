import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useStarts } from '../support/npm-start.ts'

const start = useStarts()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelinja-texts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The sample texts need no ffmpeg. */
const startTexts = () => start(['--once', '--state', join(folder, 'texts')], { FFMPEG_PATH: '/nowhere/ffmpeg' })

test('the sample texts are cleaned, summed up, taken for facts and clipped, once', { timeout: 120_000 }, async () => {
  const first = startTexts()
  expect(await first.exited).toBe(0)
  const output = first.output()
  expect(output).toMatch(/^AI gateway: a stand-in .*no language model/m)
  expect(output.match(/ai_text_process completed in/g)).toHaveLength(3)
  expect(output).toContain('research_clip completed in')
  expect(output).toMatch(/\nText, rens: \d+ characters became \d+\n\n {2}Dette er et notat .*\n.*Selma Haugen ledet møtet\.\n/)
  expect(output).toMatch(/\nText, fakta: .*\n\n {2}- \S/)
  expect(output).toMatch(/\nText, oppsummer: \d+ characters became \d+\n\n {2}.*dugnad/)
  expect(output).toMatch(/\n {2}.*\b(ikkje|kjem|nokon)\b/)
  expect(output).not.toMatch(/\b(Eh,|at at|og og|Les mer om informasjonskapsler)/)
  expect(output).toMatch(/\nClip for research: Ferja til Steinøya blir elektrisk\n\n {2}\S/)
  expect(output).toMatch(/characters kept, [1-9]\d* lines left out, language nb\n/)

  expect(output).toMatch(/url_ingest completed in/)
  expect(output).toMatch(/\nClip of a page: Fyret på Skarvholmen får nytt liv \(Nordvikposten, Kari Lyngstad, 2026-05-12\)\n\n {2}\S/)
  expect(output).toMatch(/characters read, quality full\n/)

  expect(output).toMatch(
    /\nMinutes: Styremøte .*\n\n {2}\S[\s\S]*? {2}Decided: Da er budsjettet vedtatt\.\n[\s\S]*?\(Jonas Lie-Eriksen, 2026-12-04\)/,
  )
  expect(output).toMatch(/\nMinutes: Årsmøte [\s\S]*? {2}Decided: Årsmøtet vedtok .*\n[\s\S]*?Tveit, 2026-12-14\)[\s\S]*? {2}Open: Kven /)

  expect(output).toMatch(/\nSammendrag: Styret i ungdomsrådet \(nb\)\n\n {2}.*[\s\S]*? {2}- \S/)
  expect(output).toMatch(/\nSamandrag: Koret \(nn\)\n\n {2}[\s\S]*?\bikkje\b/)
  expect(output).toMatch(/\nNote of a dictation: .*\n\n {2}[\s\S]*?68 000\s+kroner[\s\S]*? {2}To look at: unclear /)
  expect(output).toMatch(
    /\nDraft of a profile: Bygdelista, not published\n\n {2}Syntetisk profil[\s\S]*? {2}\+1 {2}Alle [\s\S]*? {2}-1 {2}Det bør [\s\S]*? {2}null {2}Eiendom/,
  )

  const moderated = output.slice(output.indexOf('\nQuestions moderated, by recorded replies'))
  expect(moderated).toMatch(
    /rewrite {2}Det er på høy tid .*\n {11}in neutral words: Ferja til Steinøya bør være gratis\.\n {11}flags: ledende\n/,
  )
  expect(moderated).toMatch(
    /ok {7}Ferja til Steinøya bør vere gratis\.\n {11}asks the same as: Det er på høy tid .*\n {11}asks the opposite of: Ferja til .* ikke /,
  )
  expect(moderated).toMatch(/ok {7}Bør alle barneskolene .*\n {11}is there already: Alle barneskolene i kommunen bør beholdes\.\n/)
  expect(moderated).toMatch(/reject {3}Bør kommunen senke .*\n {11}flags: dobbel\n/)
  expect(moderated).toMatch(/rewrite {2}Kommunen må aldri selje skogen sin!\n {11}flags: ledende, stance_moved\n/)

  expect(output.match(/generate_embeddings completed in/g)?.length).toBeGreaterThan(3)
  expect(output).toMatch(/\nSuggested edges, which wait for somebody\n\n {2}mentions Steinøya: “Ferja til Steinøya/)
  expect(output).toMatch(/\nPrompt tried: oppsummer på bokmål, 6 cells\n\n {2}sidelinja\/rutine: 2 of 3 pass, score 0\.67\n/)
  expect(output).toMatch(/\nPrompt tried: held seg til nynorsk, 4 cells\n\n {2}sidelinja\/rutine: \d of 2 pass/)

  const again = startTexts()
  expect(await again.exited).toBe(0)
  expect(again.output()).not.toMatch(
    /(ai_text_process|dictation_cleanup|research_clip|meeting_summarize|prompt_eval|summarize_communication|url_ingest|valgomat_generate_profile|valgomat_moderation) started/,
  )
  expect(again.output()).toContain(output.slice(output.indexOf('\nText, '), output.indexOf('\nSamandrag: ')))
})

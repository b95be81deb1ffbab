import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { useStarts } from '../support/npm-start.ts'

const start = useStarts()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelinja-episode-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const canListen = inject('ffmpeg') && inject('pocketsphinx')
if (!canListen) console.log('not run: 1 tests, needs pocketsphinx and ffmpeg')

describe('the sample episode', () => {
  test.skipIf(!inject('ffmpeg'))('becomes a transcript, subtitles, a waveform and an analysis, once', { timeout: 120_000 }, async () => {
    const state = join(folder, 'episode')
    const first = start(['--once', '--state', state])
    expect(await first.exited).toBe(0)
    expect(first.output()).toContain('a recorded reply')
    for (const type of ['whisper_transcribe', 'srt_parse', 'generate_waveform', 'openrouter_analyze'])
      expect(first.output()).toContain(`${type} completed in`)
    expect(first.output()).toMatch(/0\.15 +4\.77 +hello and welcome to the shell/)
    expect(first.output()).toMatch(/Waveform, 33\.5 s\n\n[▁▂▃▄▅▆▇█]{72}\n/)
    expect(first.output()).toMatch(/Analysis\n\n {2}\S.+\n {2}\S.+\n\n {5}0 s {2}\S/)
    // By a real model: the question shares no word with what it finds.
    expect(first.output()).toMatch(/^AI gateway: .*Universal Sentence Encoder lite, a real model/m)
    expect(first.output()).toMatch(/mentions City council: “hello and welcome/)
    expect(first.output()).toMatch(
      /Searched by meaning \(comparing each text\): how much will education cost\?\n\n {2}0\.[3-9]\d {2}18 s {2}.*the new school/,
    )
    const again = start(['--once', '--state', state])
    expect(await again.exited).toBe(0)
    expect(again.output()).not.toContain('whisper_transcribe started')
    expect(again.output()).toMatch(/hello and welcome/)
    expect(again.output().match(/mentions City council/g)).toHaveLength(1)
  })

  test.skipIf(!canListen)('is listened to where something can', { timeout: 180_000 }, async () => {
    const heard = start(['--once', '--state', join(folder, 'heard')], {}, true)
    expect(await heard.exited).toBe(0)
    expect(heard.output()).toMatch(/Transcription: .*real recognition of English by pocketsphinx/)
    expect(heard.output()).toContain('whisper_transcribe 0 % Transkriberer del 1 av 1\n')
    expect(heard.output()).toMatch(/from +to +text\n[─ ]+\n\d+\.\d\d +\d+\.\d\d +hello and welcome/)
  })

  test('is left out, in one sentence, where there is no ffmpeg', { timeout: 60_000 }, async () => {
    const without = start(['--once', '--state', join(folder, 'without')], { FFMPEG_PATH: '/nowhere/ffmpeg' })
    expect(await without.exited).toBe(0)
    expect(without.output()).toMatch(/^Left out: the sample episode\. It needs ffmpeg .*apt-get install ffmpeg/m)
    expect(without.output()).toContain('stats_parse completed in')
  })
})

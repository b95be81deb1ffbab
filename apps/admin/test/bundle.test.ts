import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from './support/build-app.ts'

const folder = join(import.meta.dirname, '../build')
/** What workers, their services and their programs leave in a bundle. */
const workerText = /\bcreateWorker\b|\bdefineHandler\b|worker\.started|["']p-queue["']|["']got["']|node:(child_process|vm|worker_threads)/

beforeAll(() => buildApp(), 120_000)

const filesWith = (pattern: RegExp, part: string) =>
  globSync(`${part}/**/*.js`, { cwd: folder }).filter((file) => pattern.test(readFileSync(join(folder, file), 'utf8')))

test('the built application draws results by the views of handlers, without what a worker needs', () => {
  expect(filesWith(/\bwhisperTranscribeView\b/, 'server')).toHaveLength(1)
  expect(filesWith(workerText, '.')).toEqual([])
})

test('browsers are sent none of them', () => {
  expect(filesWith(/sj-waveform/, 'client').length).toBeGreaterThan(0)
  expect(filesWith(/defineResultView|whisper_transcribe|transcription_segments/, 'client')).toEqual([])
})

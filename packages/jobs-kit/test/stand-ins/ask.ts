import { afterEach } from 'vitest'
import {
  type Recognition,
  startTranscriptionStandIn,
  type TranscriptionDialect,
  type TranscriptionStandIn,
  type TranscriptionStandInOptions,
  type VerboseTranscription,
} from '../../src/testing/index.ts'

/** What every dialect's tests transcribe. */
export const transcription: VerboseTranscription = {
  language: 'no',
  duration: 65.5,
  segments: [
    { start: 0.5, end: 1.9, text: ' Hei --> du', words: [word('Hei', 0.5, 1), word('-->', 1, 1.2), word('du', 1.2, 1.9)] },
    { start: 2, end: 3, text: ' Blåbær' },
    { start: 3_661.25, end: 3_662, text: ' Slutt' },
  ],
}

let standIn: TranscriptionStandIn | undefined
afterEach(() => standIn?.close())

/** Fields of a form: several values, a file, or left out. */
export type Form = Record<string, string | string[] | File | undefined>

/** Starts a stand-in that is closed after the test. */
export async function start(
  dialect: TranscriptionDialect,
  options: TranscriptionStandInOptions = recognising(transcription),
): Promise<TranscriptionStandIn> {
  const recognizer = options.recognizer ?? recognising(transcription).recognizer
  standIn = await startTranscriptionStandIn({ dialect, ...options, recognizer })
  return standIn
}

/** Gives these one after the other, the last for ever. */
export function recognising(...transcriptions: [VerboseTranscription, ...VerboseTranscription[]]) {
  const left = [...transcriptions]
  const recognize = async (): Promise<Recognition> => {
    const [next = transcriptions[0]] = left.length > 1 ? left.splice(0, 1) : left
    return { outcome: 'recognised', transcription: next }
  }
  return { recognizer: { describe: () => 'scripted', recognize } }
}

export function notAudio(sizeBytes: number): Recognition {
  return sizeBytes === 0 ? { outcome: 'empty' } : { outcome: 'undecodable' }
}

function word(text: string, start: number, end: number) {
  return { word: text, start, end, probability: 0.9 }
}

export function audio(): File {
  return new File(['lyd'], 'blåbær.mp3', { type: 'audio/mpeg' })
}

export function formData(fields: Form): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof File) form.append(name, value, value.name)
    else for (const text of [value ?? []].flat()) form.append(name, text)
  }
  return form
}

export async function post(path: string, fields: Form, key?: string) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(`${standIn?.url}${path}`, { method: 'POST', body: formData(fields), headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

import { openAsBlob } from 'node:fs'
import { SnoozeError } from '@sidelinja/jobs-core'
import type { AudioPiece } from '../audio/cut.ts'
import type { PieceFormat } from '../audio/piece-length.ts'
import type { Breaker } from '../breaker/create-breaker.ts'
import type { Decision, Governor } from '../governor/create-governor.ts'
import type { HttpClient, HttpResponse } from '../http/http-client.ts'
import { callTimeoutMs } from './call-timeout.ts'
import type { DialectCall, Fields, Wish } from './dialect.ts'
import { dialects } from './dialects/index.ts'
import { fromSrt, fromVerboseJson, type Heard } from './heard.ts'
import { toWhisperLanguage } from './language.ts'
import { meansNoSpeech } from './no-speech.ts'
import { endOf, joinNames } from './prompt.ts'
import { readJson } from './read-json.ts'
import type { PieceOptions, PieceTranscript, Transcription, TranscriptionConfig } from './transcription.ts'

/** 100,000 segments with all their figures. */
const maxAnswerBytes = 32 * 1024 * 1024
const nobodySpeaks: Heard = { language: null, segments: [] }

/** What the transcription works with. */
export interface TranscriptionParts {
  readonly config: TranscriptionConfig
  readonly client: HttpClient
  readonly governor: Governor
  readonly breaker: Breaker
  /** Of the second server that is used while gentle; where there is none, it is not asked. */
  readonly gentleBreaker: Breaker
  /** The database's time. */
  readonly now: () => Promise<Date>
}

type Server = TranscriptionParts & { readonly settings: ReturnType<typeof withDefaults> }

/** Makes the one interface to whichever transcription server is configured. Nothing is connected here. */
export function createTranscription(parts: TranscriptionParts): Transcription {
  const server: Server = { ...parts, settings: withDefaults(parts.config) }
  return Object.freeze({
    pieceFormat: server.settings.dialect.pieceFormat,
    transcribe: (piece: AudioPiece, options: PieceOptions) => transcribe(server, piece, options),
  })
}

async function transcribe(server: Server, piece: AudioPiece, options: PieceOptions): Promise<PieceTranscript> {
  const { priority, createdAt } = options.job
  const { onWait } = options
  const ageMs = (await server.now()).getTime() - createdAt.getTime()
  const decision = await server.governor.decide({ priority, ageMs, ...(onWait && { onWait }) }, options.signal)
  try {
    if (decision.deferMs !== undefined) throw new SnoozeError(decision.deferMs, decision.reason)
    const heard = await hear(server, piece, options, decision)
    return { ...heard, gentle: decision.mode === 'gentle' ? decision.reason : null, warning: decision.warning ?? null }
  } finally {
    decision[Symbol.dispose]()
  }
}

async function hear(server: Server, piece: AudioPiece, options: PieceOptions, decision: Decision): Promise<Heard> {
  const breaker = decision.url === undefined ? server.breaker : server.gentleBreaker
  try {
    const response = await breaker.call(() => send(server, piece, options, decision))
    return server.settings.format === 'srt' ? fromSrt(response.text) : fromVerboseJson(readJson(response), piece.durationMs)
  } catch (error) {
    if (meansNoSpeech(error)) return nobodySpeaks
    throw error
  }
}

async function send({ client, settings }: Server, piece: AudioPiece, options: PieceOptions, decision: Decision): Promise<HttpResponse> {
  const wish: Wish = {
    ...{ model: settings.model, format: settings.format, threads: decision.threads },
    ...{ language: toWhisperLanguage(options.language), names: joinNames(options.names), before: endOf(options.before) },
  }
  const call = settings.dialect.toCall(wish)
  return await client.request({
    ...{
      method: 'POST',
      url: toUrl(decision.url ?? settings.url, call),
      form: await toForm(call, piece, settings.dialect.pieceFormat),
    },
    ...(settings.apiKey && { headers: { authorization: `Bearer ${settings.apiKey}` } }),
    ...{ timeoutMs: callTimeoutMs(piece.durationMs, settings.timeoutFactor), maxBytes: maxAnswerBytes, signal: options.signal },
  })
}

function toUrl(base: URL, { path, query }: DialectCall): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${path}`
  for (const [name, value] of sent(query)) url.searchParams.set(name, value)
  return url
}

async function toForm({ fields, fileField }: DialectCall, piece: AudioPiece, format: PieceFormat): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of sent(fields)) form.set(name, value)
  // Streamed from the disk; the name's extension tells servers what it is.
  form.set(fileField, await openAsBlob(piece.path, { type: `audio/${format}` }), `piece.${format}`)
  return form
}

function sent(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : []))
}

function withDefaults(config: TranscriptionConfig) {
  const dialect = dialects[config.dialect ?? 'speaches']
  return {
    ...{ dialect, url: config.url, apiKey: config.apiKey, model: config.model || dialect.defaultModel },
    ...{ format: config.format ?? 'verbose_json', timeoutFactor: config.timeoutFactor ?? 3 },
  }
}

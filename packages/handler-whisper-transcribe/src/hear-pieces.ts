import { SnoozeError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { PieceOptions, RoughSegment } from '@sidelinja/jobs-kit'
import { toLanguageTag } from './language-tag.ts'
import type { PinnedFile } from './pin-file.ts'
import type { Span } from './plan-pieces.ts'
import type { Used } from './used.ts'

/** A run has four hours. Before they are over it ends by itself, uncharged, and the next one goes on with the piece after. */
const longestRunMs = 3 * 3_600_000

/** What there is to hear. */
export interface Hearing extends Pick<Used, 'audio' | 'transcription'> {
  readonly file: PinnedFile
  readonly pieces: readonly Span[]
  readonly names: readonly string[]
  /** A language tag, or `auto`. */
  readonly language: string
}

/** What was heard in all pieces; times count from the beginning of the audio. */
export interface Heard {
  readonly segments: readonly RoughSegment[]
  readonly language: string | null
  readonly gentlePieces: number
}

type Context = Pick<HandlerContext<unknown>, 'job' | 'signal' | 'progress' | 'step' | 'log'>
type PieceContext = Context & Pick<PieceOptions, 'before' | 'onWait'>

/** Piece after piece, each a step: a restart goes on where it was, and whether a room is live is asked anew each time. */
export async function hearPieces(hearing: Hearing, context: Context): Promise<Heard> {
  const { pieces, language } = hearing
  const startedAt = performance.now()
  const segments: RoughSegment[] = []
  let found: string | null = null
  let gentlePieces = 0
  for (const [index, piece] of pieces.entries()) {
    if (performance.now() - startedAt > longestRunMs) {
      throw new SnoozeError(1_000, `${index} of ${pieces.length} pieces are transcribed; the rest goes on in another run.`)
    }
    const say = (text: string) => context.progress(index / pieces.length, `${text} del ${index + 1} av ${pieces.length}`)
    say('Transkriberer')
    const before = segments.at(-1)?.text ?? ''
    const heard = await hearPiece(hearing, piece, { ...context, before, onWait: () => say('Venter på et rom i bruk:') })
    found ??= heard.language
    if (heard.gentle !== null) gentlePieces++
    for (const segment of heard.segments)
      segments.push({ ...segment, startMs: segment.startMs + piece.startMs, endMs: segment.endMs + piece.startMs })
  }
  return { segments, gentlePieces, language: language === 'auto' ? toLanguageTag(found) : language }
}

async function hearPiece({ audio, transcription, file, names, language }: Hearing, span: Span, context: PieceContext) {
  const { job, step, signal, log, before, onWait } = context
  return await step(`piece ${file.version} ${span.startMs}-${span.endMs}`, async () => {
    const piece = await audio.cut(file, { ...span, format: transcription.pieceFormat }, signal)
    try {
      const heard = await transcription.transcribe(piece, {
        names,
        ...{ before, job, signal, onWait },
        language: language === 'auto' ? undefined : language,
      })
      if (heard.gentle !== null) log.info('Transcribed gently', { reason: heard.gentle })
      if (heard.warning !== null) log.warn('Rooms cannot be looked at', { reason: heard.warning })
      return { ...heard, segments: heard.segments.map((segment) => ({ ...segment })) }
    } finally {
      await piece[Symbol.asyncDispose]()
    }
  })
}

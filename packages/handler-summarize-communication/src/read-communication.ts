import { PermanentError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import type { Payload, Result } from './job.ts'

const mostCharacters = 1_500_000

/** Something that was said or written. */
export interface Said {
  readonly text: string
  readonly speaker: string | null
}

/** A chat, or a meeting. */
export interface Communication {
  readonly nodeId: string
  readonly title: string | null
  readonly said: readonly Said[]
  /** The same by who said it: a quote stands in one of these. */
  readonly turns: readonly string[]
  /** As the transcription says. */
  readonly language: string | null
  readonly told: Pick<Result, 'read' | 'older'>
}

/**
 * Reads what was said at a meeting, then what was written in the chat; where there is neither, the lines of the node's own content. Only a node of the job's collection is read: whoever enqueued
 * may have named any.
 */
export async function readCommunication(
  { collections, transcripts }: Pick<Services, 'collections' | 'transcripts'>,
  { payload, job, signal }: Pick<HandlerContext<Payload>, 'payload' | 'job' | 'signal'>,
): Promise<Communication> {
  const { collectionNodeId } = job
  const nodeId = payload.nodeId ?? payload.mediaNodeId ?? ''
  const { title, content } = await collections.readNode(collectionNodeId, nodeId)
  const segments = await transcripts.read(collectionNodeId, nodeId)
  signal.throwIfAborted()
  const { messages, older } = await collections.listMessages(collectionNodeId, nodeId)
  signal.throwIfAborted()

  const spoken = segments.map(({ text, speaker }) => ({ text, speaker }))
  const written = messages.map(({ text, author }) => ({ text, speaker: author }))
  const own = spoken.length + written.length > 0 ? [] : linesOf(content ?? '')
  const said = [...spoken, ...written, ...own]
  const turns = [...joinTurns(spoken), ...[...written, ...own].map(({ text }) => text)]
  checkLength(nodeId, said)
  const language = segments.find((segment) => segment.language)?.language ?? null
  return { nodeId, title, said, turns, language, told: { read: { segments: spoken.length, messages: written.length + own.length }, older } }
}

/** A recogniser cuts sentences in two, and says who speaks where it can tell; a message is whole. */
function joinTurns(spoken: readonly Said[]): string[] {
  const turns: Said[] = []
  for (const { text, speaker } of spoken) {
    const last = turns.at(-1)
    if (last?.speaker === speaker) turns[turns.length - 1] = { text: `${last.text} ${text}`, speaker }
    else turns.push({ text, speaker })
  }
  return turns.map(({ text }) => text)
}

function linesOf(content: string): Said[] {
  return content.split('\n').flatMap((line) => (line.trim() === '' ? [] : [{ text: line.trim(), speaker: null }]))
}

function checkLength(nodeId: string, said: readonly Said[]): void {
  const characters = said.reduce((sum, { text }) => sum + text.length, 0)
  if (characters <= mostCharacters) return
  throw new PermanentError(
    'TEXT_TOO_LONG',
    `Expected what was said and written in node ${nodeId} to have at most ${mostCharacters} characters, got ${characters}. Summarise its parts, each as a node of its own.`,
  )
}

import { decodePage } from '../charset/page-charset.ts'
import { MAX_TEXT_CHARACTERS, type ReadDocument } from './document/read-document.ts'
import { readInThread, type ThreadLimits } from './document/read-in-thread.ts'
import type { FetchedPage } from './fetch/create-page-fetch.ts'
import { isEmpty, obstacleOfPage } from './judge/obstacle-of.ts'
import { kindOf, parseMediaType } from './media-type.ts'
import type { OneAtATime } from './one-at-a-time.ts'
import { readPdf } from './pdf/read-pdf.ts'
import type { Obstacle } from './web-page.ts'

/** What stands in a page, whatever kind it is of. */
export interface ReadBody {
  readonly text: string
  readonly cutCharacters: number
  readonly obstacle: Obstacle | null
  /** Of a page that has one. */
  readonly document: ReadDocument | undefined
}

interface BodyReaderOptions {
  readonly pdftotextPath: string
  readonly thread: ThreadLimits
  /** Bounds the memory of all pages together. */
  readonly inTurn: OneAtATime
}

const pdfLimits = { timeoutMs: 30_000, memoryMb: 1_024, maxPages: 200, maxCharacters: MAX_TEXT_CHARACTERS }
const nothing = { text: '', cutCharacters: 0, document: undefined }

/** Reads what was fetched by what it is: pages on a thread, PDFs by a program, one at a time. */
export function createBodyReader({ pdftotextPath, thread, inTurn }: BodyReaderOptions) {
  return async ({ requested, answer, obstacle }: FetchedPage, signal: AbortSignal): Promise<ReadBody> => {
    if (answer === undefined || obstacle !== null) return { ...nothing, obstacle }
    const { type, charset } = parseMediaType(answer.headers['content-type'])
    switch (kindOf(type, answer.body)) {
      case 'pdf': {
        const read = await inTurn(() => readPdf(answer.body, { ...pdfLimits, programPath: pdftotextPath }, signal), signal)
        return { ...nothing, ...read, obstacle: read.obstacle ?? (isEmpty(read.text) ? 'scanned' : null) }
      }
      case 'text':
        return plainText(decodePage(answer.body, charset).text)
      default: {
        const document = await inTurn(() => readInThread({ bytes: answer.body, headerCharset: charset }, thread, signal), signal)
        if (document === undefined) return { ...nothing, obstacle: 'unreadable' }
        const { text, cutCharacters } = document
        return { text, cutCharacters, document, obstacle: obstacleOfPage({ requested, ...answer }, document) }
      }
    }
  }
}

function plainText(decoded: string): ReadBody {
  const text = decoded.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
  return { text, cutCharacters: decoded.length - text.length, document: undefined, obstacle: isEmpty(text) ? 'empty' : null }
}

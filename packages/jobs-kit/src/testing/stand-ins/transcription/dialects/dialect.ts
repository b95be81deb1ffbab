import type { Answer } from '../../server/answer.ts'
import type { Recognition } from '../recognizer.ts'
import type { TranscriptionRequest, UploadedFile } from '../upload.ts'

/** What a dialect needs of the server around it. */
export interface DialectContext {
  request: TranscriptionRequest
  apiKey: string | undefined
  models: readonly string[]
  /** Waits for its turn and listens. */
  recognize(file: UploadedFile): Promise<Recognition>
  /** The same, given up when the client leaves. */
  recognizeUntilLeft(file: UploadedFile): Promise<Recognition>
}

/** How one kind of server answers. */
export type Dialect = (context: DialectContext) => Promise<Answer> | Answer

/** The last value of a plain field. */
export function field({ form }: TranscriptionRequest, name: string): string | undefined {
  return form?.fields.get(name)?.at(-1)
}

export function bearer({ headers }: TranscriptionRequest): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

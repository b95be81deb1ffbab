import { PermanentError } from '../../errors/permanent-error.ts'
import { isUuid } from '../../text/is-uuid.ts'

/** A place in the order of jobs: newest first, and of one moment the greatest id first. */
export interface Place {
  /** Microseconds since 1970 as text: JavaScript's dates have none, and jobs of one transaction differ in nothing else. */
  createdAtUs: string
  id: string
}

/** A place as an opaque text. It opens nothing: whose jobs are listed is decided anew each time. */
export function encodeCursor({ createdAtUs, id }: Place): string {
  return Buffer.from(`${createdAtUs}|${id}`).toString('base64url')
}

/** @throws PermanentError `CURSOR_INVALID` */
export function decodeCursor(cursor: string): Place {
  const [createdAtUs = '', id = ''] = Buffer.from(String(cursor), 'base64url').toString().split('|')
  if (/^-?\d{1,16}$/.test(createdAtUs) && isUuid(id)) return { createdAtUs, id }
  throw new PermanentError('CURSOR_INVALID', 'cursor must be the nextCursor of the page before. Leave it out to start from the newest job.')
}

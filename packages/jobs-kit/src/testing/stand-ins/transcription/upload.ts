import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MultipartError, multipartBoundary, type Part, readMultipart } from '../server/multipart.ts'
import { discardBody } from '../server/read-body.ts'
import type { ReceivedRequest } from '../server/received.ts'
import type { AudioUpload } from './recognizer.ts'

/** A request to a transcription server. */
export interface TranscriptionRequest extends ReceivedRequest {
  /** The form as it was received; undefined before, when there was none, and when it was broken. */
  form: UploadedForm | undefined
  /** Why the form could not be read. */
  formError: string | undefined
}

/** A form that was received whole. */
export interface UploadedForm {
  /** Plain fields, each with all its values in order. */
  fields: ReadonlyMap<string, readonly string[]>
  /** Files by field. */
  files: ReadonlyMap<string, UploadedFile>
}

/** A file of a form, on disk until the answer has been sent. */
export interface UploadedFile extends AudioUpload {
  name: string
  sha256: string
}

const maxFieldBytes = 1024 * 1024

/** Reads a form to the end, its files to a folder of their own. Memory stays bounded however long they are. */
export async function receiveForm(message: IncomingMessage, request: TranscriptionRequest, folders: Set<string>): Promise<void> {
  const boundary = multipartBoundary(message.headers['content-type'])
  if (boundary === undefined) return discardBody(message)
  const folder = await mkdtemp(join(tmpdir(), 'transcription-stand-in-'))
  folders.add(folder)
  try {
    request.form = await readForm(message, boundary, folder)
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error
    request.formError = error.message
    await discardBody(message)
  }
}

/** Deletes what was uploaded. */
export async function deleteFolders(folders: Set<string>): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

async function readForm(message: IncomingMessage, boundary: string, folder: string): Promise<UploadedForm> {
  const fields = new Map<string, string[]>()
  const files = new Map<string, UploadedFile>()
  for await (const part of readMultipart(message, boundary)) {
    if (part.fileName === undefined) fields.set(part.name, [...(fields.get(part.name) ?? []), await readField(part)])
    else files.set(part.name, await saveFile(part, join(folder, String(files.size))))
  }
  return { fields, files }
}

async function readField({ name, body }: Part): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxFieldBytes) throw new MultipartError(`field ${name} is longer than ${maxFieldBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function saveFile({ fileName = '', contentType, body }: Part, path: string): Promise<UploadedFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
  }
  await pipeline(body, counted, createWriteStream(path))
  return { path, name: fileName, contentType, sizeBytes, sha256: hash.digest('hex') }
}

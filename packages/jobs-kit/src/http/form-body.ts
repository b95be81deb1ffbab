import { Readable } from 'node:stream'
import { FormDataEncoder } from 'form-data-encoder'

/** A form as it goes over the wire, files streamed. */
export interface FormBody {
  readonly stream: Readable
  readonly headers: { readonly 'content-type': string; readonly 'content-length'?: string }
  /** How long it is; 0 when that cannot be told beforehand. */
  readonly bytes: number
}

/**
 * Encodes a form and says how long it is: some servers, and most proxies, do not take an upload whose length they are not told. The runtime's own
 * encoder keeps the length to itself, and rejects where nobody can catch it when an upload breaks off: that would end the process.
 */
export function encodeForm(form: FormData): FormBody {
  const encoder = new FormDataEncoder(form)
  const length = encoder.contentLength
  return {
    stream: Readable.from(encoder.encode(), { objectMode: false }),
    headers: { 'content-type': encoder.contentType, ...(length !== undefined && { 'content-length': length }) },
    bytes: Number(length ?? 0),
  }
}

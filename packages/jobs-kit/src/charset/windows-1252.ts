/** What windows-1252 has where ISO-8859-1 has control characters, from 0x80 to 0x9f; the five it does not define stay as they are. */
const instead = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Bytes as text by windows-1252, as browsers read it. The TextDecoder of Node 22.13 to 22.20 and of others of that time takes it for ISO-8859-1: no quotes, dashes or euros. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(/[\x80-\x9f]/g, (control) => instead[control.charCodeAt(0) - 0x80] ?? control)
}

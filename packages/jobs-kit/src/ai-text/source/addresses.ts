const HOST = String.raw`(?:[\p{L}\p{N}-]{2,63}\.){1,8}\p{L}{2,24}`
const WORD_BEFORE = String.raw`(?<![\p{L}\p{N}])`

/** What browsers and mail programs follow: `word://…`, some words with a colon, `www.…`, a host with a path, `example.no/side`, mail addresses. */
export const ADDRESS = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]{1,30}:\/\/[^\s<>"\u0060\[\]]*`,
    String.raw`${WORD_BEFORE}(?:https?|ftp|mailto|tel|sms|javascript|vbscript|data|blob|file):[^\s<>"\u0060\[\]]+`,
    String.raw`${WORD_BEFORE}(?:www\.|${HOST}(?::\d{1,5})?\/)[^\s<>"\u0060\[\]]*`,
    `${WORD_BEFORE}[a-z0-9][a-z0-9._+-]{0,63}@${HOST}`,
  ].join('|'),
  'giu',
)

/** The `](` of a link of Markdown, and where it leads. */
export const TARGET = /\]\((?=\s*(?:<([^<>\n]*)>|([^\s()]*(?:\([^\s()]*\)[^\s()]*){0,4})))/g

/** An address as it is compared: the host in any case, http or https, with or without a slash at its end. */
export function addressKey(address: string): string {
  const bare = address.normalize('NFC').replace(/^(?:https?:\/\/|mailto:)/i, '')
  const path = bare.search(/[/?#]/)
  const key = path === -1 ? bare.toLowerCase() : bare.slice(0, path).toLowerCase() + bare.slice(path)
  return key.replace(/\/$/, '')
}

/** An address without what a sentence puts after it: a full stop, a bracket that it did not open. */
export function trimEnd(address: string): string {
  let closing = count(address, ')') - count(address, '(')
  let end = address.length
  while (end > 0) {
    const sign = address.charAt(end - 1)
    if (sign === ')' ? closing-- <= 0 : !/[.,;:!?}'*_»”’…|\\]/.test(sign)) break
    end--
  }
  return address.slice(0, end)
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}

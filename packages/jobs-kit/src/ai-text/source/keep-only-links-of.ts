import { ADDRESS, addressKey, TARGET, trimEnd } from './addresses.ts'

/** What stands for an address that is gone. No brackets: it must make no link of what is around it. */
const GONE = '…'
/** Leads nowhere, but runs what is in it: not kept, whoever wrote it. */
const SCRIPT = /^(?:javascript|vbscript):/i
const PLAIN_LINK = /!?\[([^[\]\n]*)\]\(<?([^\s()<>]*)>?\)/g
const TAG = /<\/?[a-z][a-z0-9-]{0,20}(?=[\s/>])[^<>]*>/gi
const LINKS = /(?:\b(?:href|src|srcset|action|formaction|poster|data|background|style|cite|ping)|\bon[a-z]{1,30})\s*=|^<\/a\s*>$/i
const DEFINITION = /^([ \t>]{0,20}\[[^[\]\n]*\]):(?=[ \t]*<?([^\s>]*[/\\:#][^\s>]*))/gm

/**
 * A text that a model wrote, with no links but those of the text it was given: others are taken out of Markdown and plain text, all are taken out of HTML, and
 * their words stay. Pictures become links, for a picture is fetched without being asked for. A bare name of a host, `example.no`, is a word: whoever shows
 * the text must not make a link of it, and must escape it as any other.
 */
export function keepOnlyLinksOf(text: string, input: string): string {
  // Most texts have no links, and the input may be long.
  let given: Set<string> | undefined
  const isGiven = (address: string) => {
    if (address === '' || SCRIPT.test(address)) return false
    given ??= addressesOf(input)
    return given.has(addressKey(address))
  }
  // What is taken out may make a link of what it stood between: the last steps take nothing out, they part what would be one.
  const without = text
    .replace(PLAIN_LINK, (link, words: string, target: string) => (isGiven(target) ? link : words))
    .replace(/!+\[/g, '[')
    .replace(TAG, (tag) => (LINKS.test(tag) ? ' ' : tag))
    .replace(ADDRESS, (address) => (isGiven(trimEnd(address)) ? address : GONE + address.slice(trimEnd(address).length)))
  return partTags(without)
    .replace(DEFINITION, (line, label: string, target: string) => (isGiven(target) ? line : `${label} :`))
    .replace(TARGET, (opening, pointed?: string, plain?: string) => (isGiven(pointed ?? plain ?? '') ? opening : '] ('))
}

/** A tag that links, however it came about, becomes text: `< a href`. */
function partTags(text: string): string {
  const parts = text.split('>')
  return parts.map((part) => (LINKS.test(part) ? part.replace(/<(?=[a-z/!?])/gi, '< ') : part)).join('>')
}

function addressesOf(input: string): Set<string> {
  const targets = Array.from(input.matchAll(TARGET), ([, pointed, plain]) => pointed ?? plain ?? '')
  const addresses = Array.from(input.matchAll(ADDRESS), ([address]) => trimEnd(address))
  return new Set([...targets, ...addresses].filter((address) => address !== '').map(addressKey))
}

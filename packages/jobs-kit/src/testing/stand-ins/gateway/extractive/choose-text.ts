import type { Focus } from './focus.ts'
import { namesIn, roleOf } from './names.ts'
import { bestSentences } from './sentences.ts'
import type { Source } from './source.ts'
import { asSentence, asTitle, cleanWhole, listFacts, summarize } from './texts.ts'
import { shorten } from './words.ts'

interface Asked {
  key: string
  source: Source
  focus: Focus | undefined
}

const maxQuoteLength = 280
const due =
  /(?<!\p{L})(?:i (?:dag|morgen|morgon)(?!\p{L})|(?:innen|innan|før|by|before|until|on|på|til) ((?:neste|next|nest) \p{L}+|(?:man|mån|tirs|tys|ons|tors|fre|lør|laur|søn|sun)dag(?:en)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\p{N}{1,2}\. ?\p{L}+|\p{N}{4}-\p{N}{2}-\p{N}{2}))/iu

/** What a property of that name holds. The first that fits decides; undefined: nothing can be said. */
const texts: [RegExp, (asked: Asked) => string | undefined][] = [
  [/(^|_)refs?$|candidate|_of$/, reference],
  [/owner_name|assignee|owner$|speaker|ansvarlig/, ({ focus, source }) => namesOf(focus, source)[0]],
  [/(^|_)(language|lang|språk)$/, ({ source }) => source.language],
  [/^(mode|published_at|author|source_type|url|site_name|publisher)$|_url$/, ({ source, key }) => echo(source, key)],
  [/due_text|frist|deadline/, ({ focus }) => due.exec(focus?.sentence?.text ?? '')?.[0]],
  [/date$|_at$/, ({ focus }) => /\p{N}{4}-\p{N}{2}-\p{N}{2}/u.exec(focus?.sentence?.text ?? '')?.[0]],
  [/^role$|rolle/, ({ focus }) => (focus?.name && roleOf(focus.name, focus.sentence?.text ?? '')) || undefined],
  [/quote|sitat|evidence|verbatim|excerpt|belegg/, ({ focus, source }) => quote(focus?.sentence ?? best(source))],
  [/name|navn|topic|tema|tag|keyword|people|person|attendee|participant/, ({ focus, source }) => focus?.name ?? namesOf(focus, source)[0]],
  [/title|tittel|heading|headline|chapter/, ({ focus, source }) => title(focus, source)],
  [/summary|sammendrag|oppsummering|abstract|minutes|referat/, ({ focus, source }) => (focus ? whole(focus) : summarize(source))],
  [/description|beskrivelse|ingress|lead|teaser/, ({ focus, source }) => (focus ? whole(focus) : summarize(source, 2, 300))],
  [/markdown|body|content|clean|text|tekst/, ({ focus, source }) => (focus?.sentence ? quote(focus.sentence) : byMode(source))],
]

/** A text by its property's name: always out of the source, never made up. */
export function chooseText(asked: Asked): string | undefined {
  const choose = texts.find(([name]) => name.test(asked.key))?.[1]
  if (choose !== undefined) return choose(asked)
  return asked.focus ? (asked.focus.name ?? whole(asked.focus)) : summarize(asked.source, 1, 300)
}

function reference({ key, source, focus }: Asked): string | undefined {
  if (!/owner|assignee/.test(key)) return focus ? focus.candidate?.ref : source.matches[0]?.ref
  const names = namesOf(focus, source).map((name) => name.toLowerCase())
  return source.candidates.find(({ name }) => names.some((own) => own === name.toLowerCase() || name.toLowerCase().split(' ')[0] === own))
    ?.ref
}

/** Names in what the item is about. */
function namesOf(focus: Focus | undefined, { names, candidates }: Source): string[] {
  if (focus?.sentence === undefined) return []
  const known = [...names.map(({ name }) => name), ...candidates.filter(({ isPerson }) => isPerson).map(({ name }) => name)]
  return namesIn(focus.sentence.text, known)
}

function echo({ data }: Source, key: string): string | undefined {
  const value = data[key]
  return typeof value === 'string' ? value : undefined
}

function title(focus: Focus | undefined, source: Source): string | undefined {
  const sentence = focus?.sentence ?? (focus ? undefined : best(source))
  return sentence && asTitle(sentence)
}

function quote(sentence: { text: string } | undefined): string | undefined {
  return sentence && shorten(sentence.text, maxQuoteLength)
}

function whole({ sentence }: Focus): string | undefined {
  return sentence && shorten(asSentence(sentence), 300)
}

/** What is asked of a text as a whole: tidied, unless the data asks for a summary or for facts. */
function byMode(source: Source): string {
  const mode = echo(source, 'mode') ?? ''
  if (/oppsum|samman|summ/i.test(mode)) return summarize(source)
  return /fakta|fact/i.test(mode) ? listFacts(source) : cleanWhole(source)
}

function best({ sentences }: Source) {
  return bestSentences(sentences, 1)[0]
}

import { type NumberedCandidates, nameWords, numberCandidates, quoteOccurs, type Segment } from '@sidelinja/jobs-kit'

const mostPeople = 200
/** What recognisers call somebody whose name they do not know. */
const NOBODY = /^(?:speaker|spk|taler|person|deltak[ea]r|ukjent|ukjend|unknown)?[\s_-]*\d*$/i
/** A collection's names are names and terms: a first and a last name are somebody's. */
const FULL_NAME = /^\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){1,3}$/u
const CAPITALS = /(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}'’-]*/gu

/** Who may own an action point. */
export interface KnownPeople {
  readonly names: readonly string[]
  /** As the model sees them; `P1`, `P2`, … */
  readonly candidates: NumberedCandidates<string>
  /** The known name that another spelling means: the same, or the first name of one of them only. */
  find(name: string): string | undefined
  /** True where a text has one of the words of a name, as a name. */
  isNamed(name: string, text: string): boolean
  /** Who is mentioned: a known name, or one of which the meeting says every word, as a name. */
  attendee(name: string): string | undefined
}

/** Who was there, who speaks, and of the collection's full names those whose first name somebody says. */
export function knownPeople(segments: readonly Segment[], attendees: readonly string[], names: readonly string[]): KnownPeople {
  const whole = segments.map(({ text }) => text).join(' ')
  const said = nameWords(whole)
  const speakers = segments.flatMap(({ speaker }) => (speaker && !NOBODY.test(speaker.trim()) ? [speaker.trim().slice(0, 200)] : []))
  const isSaid = (name: string) => FULL_NAME.test(name) && said.has(comparable(name).split(' ')[0] ?? '')
  const all = [...attendees, ...speakers, ...names.map((name) => name.trim()).filter(isSaid)]
  const people = [...new Map(all.map((name) => [comparable(name), name])).values()].slice(0, mostPeople)
  const find = (name: string) => {
    const wanted = comparable(name)
    const same = people.find((person) => comparable(person) === wanted)
    const namesakes = people.filter((person) => comparable(person).split(' ')[0] === wanted)
    return same ?? (namesakes.length === 1 ? namesakes[0] : undefined)
  }
  return Object.freeze({
    names: people,
    candidates: numberCandidates(people, (name) => ({ name }), 'P'),
    ...{ find, isNamed },
    attendee: (name: string) => find(name) ?? (isSaidWhole(name, whole, said) ? name.replace(/\s+/g, ' ').trim() : undefined),
  })
}

/** Somebody whose first name is said may still be another one than the model thinks. */
function isSaidWhole(name: string, whole: string, said: ReadonlySet<string>): boolean {
  const capitals = name.normalize('NFKC').match(CAPITALS) ?? []
  return capitals.length > 0 && capitals.every((word) => said.has(word.toLowerCase())) && quoteOccurs(name, whole)
}

/** Where a recogniser writes no capitals at all, in small letters, too: per and stein are words, else. */
function isNamed(name: string, text: string): boolean {
  const words = new Set(text.normalize('NFKC').match(/[\p{L}\p{M}][\p{L}\p{M}-]*/gu))
  const isSmall = text === text.toLowerCase()
  return (name.normalize('NFKC').match(/[\p{L}\p{M}][\p{L}\p{M}-]+/gu) ?? []).some((word) => {
    const written = isSmall ? word.toLowerCase() : word
    return words.has(written) || words.has(`${written}s`)
  })
}

function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

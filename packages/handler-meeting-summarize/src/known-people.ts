import { type NumberedCandidates, numberCandidates, type Segment, saidNames } from '@sidelinja/jobs-kit'

const mostPeople = 200
/** What recognisers call somebody whose name they do not know. */
const NOBODY = /^(?:speaker|spk|taler|person|deltak[ea]r|ukjent|ukjend|unknown)?[\s_-]*\d*$/i

/** Who may own an action point. */
export interface KnownPeople {
  /** As the model sees them; `P1`, `P2`, … */
  readonly candidates: NumberedCandidates<string>
  /** The known name that another spelling means: the same, or the first name of one of them only. */
  find(name: string): string | undefined
}

/** Who was there, who speaks, and of the collection's names those that somebody says. */
export function knownPeople(segments: readonly Segment[], attendees: readonly string[], names: readonly string[]): KnownPeople {
  const isSaid = saidNames(segments.map(({ text }) => text).join(' '))
  const speakers = segments.flatMap(({ speaker }) => (speaker && !NOBODY.test(speaker.trim()) ? [speaker.trim().slice(0, 200)] : []))
  const all = [...attendees, ...speakers, ...names.filter((name) => /^\p{Lu}/u.test(name) && isSaid(name))]
  const people = [...new Map(all.map((name) => [comparable(name), name])).values()].slice(0, mostPeople)
  return Object.freeze({
    candidates: numberCandidates(people, (name) => ({ name }), 'P'),
    find(name: string) {
      const wanted = comparable(name)
      const same = people.find((person) => comparable(person) === wanted)
      const namesakes = people.filter((person) => comparable(person).split(' ')[0] === wanted)
      return same ?? (namesakes.length === 1 ? namesakes[0] : undefined)
    },
  })
}

function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

const negation = /(?<!\p{L})(?:ikke|ikkje|aldri|ingen|inga|intet|inkje|uten|utan|mot|imot|nei|not|never|without|against)(?!\p{L})/giu
/** In nynorsk it means “now”. */
const englishNegation = /(?<!\p{L})no(?!\p{L})/giu
const english = /(?<!\p{L})(?:the|there|should|is|are)(?!\p{L})/iu

/** Words that turn a sentence into its opposite without any “not”, each side in both forms of Norwegian. */
const opposites = [
  {
    one: word('behold|bevar|best(?:å|år|ått)|oppretthold|innfør|hald\\p{L}* (?:open|ved lag)|hold\\p{L}* åpen'),
    other: word('nedleg|nedlag|(?:legg\\p{L}*|lagt) ned|steng|riv|fjern|avvikl|avskaff|selg|skrot'),
  },
  { one: word('øk|auk|hev|fler|høyere|høgare|utvid|styrk'), other: word('senk|reduser|kutt|færre|lavere|lågare|begrens|avgrens|svekk') },
  { one: word('tillat|lovl|åpne for|opne for'), other: word('forby|forbud|forbod|ulovl|nekt') },
]

/**
 * Whether two texts can be on the same side, as far as words tell: each “not”, and each word in place of its opposite, turns it round, and two turns are none: “should not be closed” and “should be kept”.
 */
export function mayTakeSameSide(one: string, other: string): boolean {
  const turns = opposites.filter((sides) => {
    const [before, after] = [sideOf(one, sides), sideOf(other, sides)]
    return before !== 0 && after !== 0 && before !== after
  })
  return (turns.length + negationsIn(one) + negationsIn(other)) % 2 === 0
}

/** 0: neither, or both. */
function sideOf(text: string, { one, other }: (typeof opposites)[number]): number {
  return Number(one.test(text)) - Number(other.test(text))
}

function negationsIn(text: string): number {
  const own = text.match(negation)?.length ?? 0
  return own + (english.test(text) ? (text.match(englishNegation)?.length ?? 0) : 0)
}

/** At the beginning of a word. */
function word(stems: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${stems})`, 'iu')
}

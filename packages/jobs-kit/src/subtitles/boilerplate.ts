/**
 * What recognisers have learnt from subtitle files of films, and write where nobody speaks. Compared with the words alone, a blank between
 * two; a \b would see the end of a word before each letter beyond z.
 */
const PHRASES = [
  /^(tekstet|teksting|teksta|undertekster?|undertekstene|undertekstet) (av|ved)( |$)/,
  /^takk for at (du|dere) (så|ser|har sett|så på|ser på|lytter|lyttet|hører|hørte)( |$)/,
  /^takk for (meg|nå|følget|oppmerksomheten)$/,
  /^(husk å )?(abonner|abonnere|lik og abonner)( |$)/,
  /^(textning|undertexter|undertekster|översättning) (av|från)( |$)/,
  /^tack (för|till) (att ni|att du|alla|er)/,
  /^thank(s| you)( (all|so much|very much))? for (watching|listening|viewing)( |$)/,
  /^(please )?(like and )?subscribe( |$)/,
  /^(subtitles?|captions?|captioning|transcription|translation)( (made|created|provided))? by( |$)/,
  /^(untertitel|untertitelung) (von|der|im auftrag|des)( |$)/,
  /^sous titr(es|age)( |$)/,
  /(^| )amara org( |$)/,
  /(^| )scandinavian text service( |$)/,
  /(^| )ai media( |$)/,
]

/** A title in a film is short. */
const MOST_CHARACTERS = 200

/** True for a phrase that recognisers invent. In speech people say such things too: it counts where nobody spoke. */
export function isBoilerplate(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return PHRASES.some((phrase) => phrase.test(words))
}

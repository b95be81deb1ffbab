/** What recognisers have learnt from subtitle files of films, and write where nobody speaks. */
const PHRASES = [
  /^(tekstet|teksting|teksta|undertekster?|undertekstene|undertekstet) (av|ved)\b/,
  /^takk for at (du|dere) (så|ser|har sett|så på|ser på|lytter|lyttet|hører|hørte)\b/,
  /^takk for (meg|nå|følget|oppmerksomheten)$/,
  /^(husk å )?(abonner|abonnere|lik og abonner)\b/,
  /^(textning|undertexter|undertekster|översättning) (av|från)\b/,
  /^tack (för|till) (att ni|att du|alla|er)/,
  /^thank(s| you)( (all|so much|very much))? for (watching|listening|viewing)\b/,
  /^(please )?(like and )?subscribe\b/,
  /^(subtitles?|captions?|captioning|transcription|translation)( (made|created|provided))? by\b/,
  /^(untertitel|untertitelung) (von|der|im auftrag|des)\b/,
  /^sous titr(es|age)\b/,
  /\bamara org\b/,
  /\bscandinavian text service\b/,
  /\bai media\b/,
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

import type { ResultText } from '@sidelinja/jobs-core/admin'
import type { SuspectReason } from '../subtitles/segment.ts'

/** Why a segment should not be believed unseen, for who reads it. */
export const suspectWords: Readonly<Record<SuspectReason, ResultText>> = {
  no_time: { nb: 'hadde ingen tid', nn: 'hadde inga tid', en: 'had no time' },
  odd_time: {
    nb: 'tiden var skrevet på en uvanlig måte',
    nn: 'tida var skriven på ein uvanleg måte',
    en: 'its time was written in an odd way',
  },
  out_of_range: { nb: 'tiden var umulig', nn: 'tida var umogleg', en: 'its time was impossible' },
  backward: { nb: 'sluttet før det begynte', nn: 'slutta før det byrja', en: 'ended before it began' },
  zero_length: { nb: 'varer ikke', nn: 'varer ikkje', en: 'takes no time' },
  unordered: { nb: 'sto etter et senere avsnitt', nn: 'stod etter eit seinare avsnitt', en: 'stood after a later one' },
  overlap: { nb: 'gikk inn i det neste', nn: 'gjekk inn i det neste', en: 'reached into the next one' },
  past_end: { nb: 'ligger etter slutten på opptaket', nn: 'ligg etter slutten på opptaket', en: 'lies after the end of the recording' },
  stray_time: { nb: 'ser ut til å inneholde tider', nn: 'ser ut til å innehalde tider', en: 'seems to hold times' },
  odd_characters: {
    nb: 'har tegn som ikke kunne leses',
    nn: 'har teikn som ikkje kunne lesast',
    en: 'has characters that could not be read',
  },
  no_words: { nb: 'har ingen ord', nn: 'har ingen ord', en: 'has no words' },
  repeated: { nb: 'gjentar det forrige', nn: 'tek opp att det førre', en: 'repeats the one before' },
  compression: { nb: 'sier det samme om og om igjen', nn: 'seier det same om og om att', en: 'says the same again and again' },
  no_speech: { nb: 'kanskje snakker ingen her', nn: 'kanskje snakkar ingen her', en: 'perhaps nobody speaks here' },
  silence: { nb: 'opptaket er stille her', nn: 'opptaket er stille her', en: 'the recording is silent here' },
  boilerplate: {
    nb: 'en frase som ofte er oppdiktet i stillhet',
    nn: 'ein frase som ofte er dikta opp i stille',
    en: 'a phrase that is often invented in silence',
  },
}

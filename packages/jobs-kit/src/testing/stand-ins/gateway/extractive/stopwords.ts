/** Both forms of Norwegian, and English. */
export type Language = 'nb' | 'nn' | 'en'

const shared = `og i på til for av med som om ved at så vi de den det der etter opp ut inn over under mellom mot hos før nå no bare også alle alt kan skal vil må
  var har hadde er bli han ja nei man sin seg oss her når då da enn eller men sa sier si fordi hvis viss
  dag blir ble blei god godt mer meir mest flere fleire andre annen anna`
const bokmal = `jeg ikke en et hun dere dem deg meg seg hva hvem hvor hvordan hvorfor hvilken hvilke noe noen fra være vært blitt kommer gjør gjorde dette disse denne
  min mitt mine din ditt dine sitt sine vår vårt våre deres hans hennes veldig bare mye kunne skulle ville måtte uten selv siden mens slik sånn begge hele gjennom`
const nynorsk = `eg ikkje ein eit ei ho dykk dei deg meg kva kven kvar korleis kvifor noko nokon nokre frå vere vore vorte kjem gjer gjorde dette desse denne
  mi mitt mine di ditt dine sitt sine vår vårt våre deira hans hennar mykje berre kunne skulle ville måtte utan sjølv sidan medan slik begge heile gjennom vert vart me`
const english = `the a an and or but of to in on at by for with from as is are was were be been being it its this that these those he she they we you i
  his her their our your my me him them us not no do does did done have has had will would can could shall should may might must what who which when where why how
  there here then than so if because about into over after before between through just very also only some any all both each other more most such own same too
  said says say get got go going one out up down off again once during while`

/** Words that say little about what a text is about. */
export const stopwords: Record<Language, ReadonlySet<string>> = {
  nb: setOf(`${shared} ${bokmal}`),
  nn: setOf(`${shared} ${nynorsk}`),
  en: setOf(english),
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

import { findChapters } from './chapters.ts'
import { type Focus, onSentence, round } from './focus.ts'
import { findKeywords } from './keywords.ts'
import { namesOfAnswer } from './people.ts'
import { bestSentences, type Sentence } from './sentences.ts'
import type { Source } from './source.ts'
import { contentWords, stem } from './words.ts'

const maxItems = 6
const decided =
  /(?<!\p{L})(?:vedt(?:ok|att|ek|ar)|beslutt(?:et|a)|bestem(?:te|t)|avgj(?:orde|ort)|enige? om|einige? om|går for|decided|agreed|approved|resolved|voted)(?!\p{L})/iu
const promised =
  /(?<!\p{L})(?:skal(?! (?:si|seie|fortelle|fortelje)(?!\p{L}))|må|t(?:ar|ek) (?:\p{L}{2,3} )?(?:(?:meg|deg|seg|oss) (?:av|på)|på (?:meg|deg|seg|oss)|ansvar)|følger opp|følgjer opp|will|must|needs? to|has to|have to|should|promised|to do)(?!\p{L})/iu
/** What comes along when a page is copied. */
const aroundTexts =
  /^(?:meny|søk|logg (?:inn|ut)|del (?:på|artikkelen).*|les (?:også|mer).*|annonse|reklame|hopp til.*|kontakt oss|følg oss.*|menu|search|log in|sign up|share.*|read more.*|advertisement)[.:!]?$|informasjonskapsl|\bcookies?\b/iu
const unclear = /\[(?:uhørlig|uklart|uforståelig|inaudible|unclear)[^\]]*\]|\(\?\)|\?\?/iu

type Choice = (source: Source) => Focus[]

/** What a list holds, by its name. The first that fits decides. */
const choices: [RegExp, Choice][] = [
  [
    /chapter|section|kapit/,
    ({ passages, sentences }) => findChapters(passages, sentences).map((chapter) => ({ ...chapter, confidence: 0.5 })),
  ],
  [
    /noise|boilerplate/,
    ({ passages }) =>
      passages.filter(({ text }) => text.length < 160 && aroundTexts.test(text.trim())).map(({ n }) => ({ n, confidence: 0.5 })),
  ],
  [/^new_|^changes$|^flags$|warning/, () => []],
  [/stance|standpunkt/, chooseStances],
  [/uncertain|usikker/, ({ sentences }) => sentences.filter(({ text }) => unclear.test(text)).map(onSentence)],
  [/topic|tema|tag|keyword|emne/, chooseTopics],
  [/people|person|attendee|participant|speaker|deltak|^names?$/, (source) => namesOfAnswer(source)],
  [/(^|_)refs?$|candidate|edge|related/, ({ matches }) => matches.map(onCandidate)],
  [/decision|beslutning|vedtak/, ({ sentences }) => sentencesWith(sentences, decided, isNoQuestion)],
  [/action|task|todo|oppgave|follow_?up/, ({ sentences }) => sentencesWith(sentences, promised, isNoQuestion)],
  [/question|spørsmål/, ({ sentences }) => sentencesWith(sentences, /\?["»”’)]?$/u, isOfSeveralWords)],
  [/quote|sitat/, ({ sentences }) => bestSentences(sentences.some(isWhole) ? sentences.filter(isWhole) : sentences, 3).map(onSentence)],
  [/link|url|attachment/, () => []],
]

/** What the items of a list are to be about. Inside of an item a list is about that item. */
export function chooseItems(key: string, source: Source, focus: Focus | undefined): Focus[] {
  if (focus !== undefined) return focus.n === undefined && focus.sentence === undefined ? [] : [focus]
  const choose = choices.find(([name]) => name.test(key))?.[1]
  return (choose?.(source) ?? bestSentences(source.sentences, 5).map(onSentence)).slice(
    0,
    /stance/.test(key) ? source.candidates.length : maxItems + 2,
  )
}

function chooseTopics(source: Source): Focus[] {
  const known = source.matches.filter(({ isPerson }) => !isPerson).map(onCandidate)
  const taken = [...known.map(({ name }) => name ?? ''), ...source.names.map(({ name }) => name)].flatMap(contentWords).map(stem)
  const words = findKeywords(source.sentences).filter(({ word }) => !taken.some((start) => word.startsWith(start)))
  const repeated = words.filter(({ count }) => count > 1)
  const own = (repeated.length > 0 ? repeated : words.slice(0, 2)).map(({ word, count, sentence }) => ({
    ...{ n: sentence.n, sentence, name: word },
    confidence: round(0.3 + 0.1 * count),
  }))
  return [...known, ...own].slice(0, maxItems)
}

/** On each candidate the sentence that has most of its words, a heading is none; one that no sentence has two of is not spoken of. */
function chooseStances({ candidates, sentences: all }: Source): Focus[] {
  const sentences = all.filter(({ text }) => /[.!?…]["»”’)]?$/u.test(text))
  return candidates.map((candidate) => {
    const wanted = new Set(contentWords(candidate.name).map(stem))
    const shared = sentences.map(
      (sentence) =>
        new Set(
          contentWords(sentence.text)
            .map(stem)
            .filter((word) => wanted.has(word)),
        ).size,
    )
    const most = Math.max(0, ...shared)
    const sentence = most < 2 ? undefined : sentences[shared.indexOf(most)]
    return { n: sentence?.n, sentence, candidate, confidence: round(0.2 + 0.1 * most) }
  })
}

function onCandidate(candidate: Source['matches'][number]): Focus {
  const { sentence, name, count } = candidate
  return { n: sentence?.n, sentence, name, candidate, confidence: round(0.5 + 0.1 * count) }
}

function sentencesWith(sentences: readonly Sentence[], pattern: RegExp, also: (sentence: Sentence) => boolean = () => true): Focus[] {
  return sentences
    .filter((sentence) => pattern.test(sentence.text) && also(sentence))
    .slice(0, maxItems)
    .map(onSentence)
}

/** Who asks has decided and promised nothing. */
function isNoQuestion({ text }: Sentence): boolean {
  return !/\?["»”’)]?$/u.test(text)
}

/** "Nei?" asks for nothing that is still open. */
function isOfSeveralWords({ text }: Sentence): boolean {
  return text.split(/\s+/).length > 2
}

/** Long enough to say something, short enough to be quoted. */
function isWhole({ text }: Sentence): boolean {
  return text.length >= 30 && text.length <= 280
}

import { findQuote, quoteOccurs } from '@sidelinja/jobs-kit'

/** Of a sentence that is longer only the words around the quote are kept. */
const mostCharacters = 800
const wordsAround = 40
/** Where the same words stand in several sentences, the first of them are shown. */
const mostPlaces = 3
/** No quote of a reply has more sentences or words. */
const mostTexts = 300

/** A line with one of these belongs to what follows, whatever it looks like. */
const negation =
  /(?<!\p{L})(?:ikke|ikkje|ei|ingen|inga|intet|inkje|aldri|nei|mot|imot|uten|utan|heller|verken|korkje|not|no|never|against|without|neither|nor)(?!\p{L})/iu

/**
 * The sentences that a quote stands in, whole: a quote that was cut out of one may leave out its "not". Those of up to 3 places where the same words stand; none where they stand nowhere.
 */
export function widenQuote(quote: string, sentences: readonly string[]): string[] {
  const whole = textsAround(quote, sentences)
  return [...new Set(whole.flatMap((text) => (text.length <= mostCharacters ? text : wordsOfLong(quote, text))))]
}

/** The runs of texts that the quote begins and ends in. */
function textsAround(quote: string, texts: readonly string[], margin = 0): string[] {
  return findQuote(quote, texts)
    .slice(0, mostPlaces)
    .map((from) => {
      let to = from + 1
      while (to < texts.length && to < from + mostTexts && !quoteOccurs(quote, texts.slice(from, to).join(' '))) to++
      return texts.slice(Math.max(0, from - margin), to + margin).join(' ')
    })
}

function wordsOfLong(quote: string, text: string): string[] {
  return textsAround(quote, text.split(' '), wordsAround)
}

/** The sentences of a page, as they stand there but for line breaks. */
export function sentencesOf(page: string): string[] {
  const segmenter = new Intl.Segmenter('nb', { granularity: 'sentence' })
  return paragraphsOf(page).flatMap((paragraph) =>
    joinAbbreviations(Array.from(segmenter.segment(paragraph), ({ segment }) => segment.trim())),
  )
}

/** `kl. 10`, `f.eks. bompenger`, `ca. 3`: no sentence begins with a small letter or a number. */
function joinAbbreviations(sentences: readonly string[]): string[] {
  const joined: string[] = []
  for (const sentence of sentences.filter((text) => text !== '')) {
    const last = joined.at(-1)
    if (last !== undefined && /^[\p{Ll}\p{N}]/u.test(sentence)) joined[joined.length - 1] = `${last} ${sentence}`
    else joined.push(sentence)
  }
  return joined
}

/**
 * Lines that belong together, joined: programs that read PDF files break lines within sentences. What looks like a heading stands alone, unless it says "not"; what a colon ends
 * goes on in the list below.
 */
function paragraphsOf(page: string): string[] {
  const paragraphs: string[] = []
  let isOpen = false
  let afterBlank = false
  for (const line of page.split(/\r?\n/).map((text) => text.replace(/\s+/g, ' ').trim())) {
    const last = paragraphs.at(-1)
    if (line === '') afterBlank = true
    else {
      const goesOn = last !== undefined && (isOpen || (!afterBlank && !looksWhole(last, line)))
      if (goesOn) paragraphs[paragraphs.length - 1] = `${last} ${line}`
      else paragraphs.push(line)
      isOpen = /[:,]$/.test(line)
      afterBlank = false
    }
  }
  return paragraphs
}

/** A heading before a line that begins anew. */
function looksWhole(before: string, line: string): boolean {
  return /^\p{Lu}/u.test(line) && !/[.!?…:,;-]$/.test(before) && !negation.test(before)
}

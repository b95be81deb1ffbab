/** A text of ours, in the languages of the page; or one that others wrote, which is shown as it is. Never markup. */
export type ResultText = string | { readonly nb: string; readonly nn: string; readonly en: string }

/** What a row or a cell says: a text, a number, a length of time, a moment, or nothing. */
export type ResultValue = ResultText | number | { readonly durationMs: number } | { readonly time: Date } | null

/** How something is to be taken. `warn`: look at it before you use it. */
export type ResultTone = 'neutral' | 'good' | 'warn' | 'bad'

/** A few words on an item, like a stance or a state. */
export interface ResultMark {
  readonly text: ResultText
  /** Default `neutral`. */
  readonly tone?: ResultTone | undefined
}

/** Words that bear something out. */
export interface ResultQuote {
  readonly text: string
  /** Where in the recording, in milliseconds. */
  readonly startMs?: number | undefined
  /** Who said or wrote it. */
  readonly who?: string | null | undefined
}

/** One of a list: a chapter, a claim, a decision, a statement with a stance, a hit of a search. */
export interface ResultItem {
  readonly text: ResultText
  /** Where in the recording it begins, in milliseconds. */
  readonly startMs?: number | undefined
  /** Whom it is about, or who is to do it. */
  readonly who?: string | null | undefined
  readonly mark?: ResultMark | undefined
  /** Something less important: a date, a role, a source. */
  readonly note?: ResultText | null | undefined
  readonly quotes?: readonly ResultQuote[] | undefined
}

/** A stretch of a recording and what was said in it. */
export interface ResultSegment {
  readonly startMs: number
  readonly endMs: number
  readonly speaker?: string | null | undefined
  readonly text: string
  /** Why it should not be believed unseen; empty: nothing found. */
  readonly doubts?: readonly ResultText[] | undefined
}

interface Titled {
  /** Default: none. */
  readonly title?: ResultText | undefined
}

/**
 * A piece of what a job came to, which a page can draw without knowing the job type. Kinds:
 *
 * `note` a sentence about it all · `facts` names with values · `text` paragraphs · `list` items, each with evidence · `table` rows with the same columns ·
 * `waveform` peaks: pairs of lowest and highest, each from −128 to 127, over the whole recording · `transcript` what was said, in order.
 *
 * `more`: there is more than is given. A page shows a bounded part of each: 1,000 items, segments or rows, 2,000 peaks, 20,000 characters of a text.
 */
export type ResultPart =
  | { readonly kind: 'note'; readonly tone: 'neutral' | 'warn'; readonly text: ResultText }
  | ({ readonly kind: 'facts'; readonly rows: readonly { readonly label: ResultText; readonly value: ResultValue }[] } & Titled)
  | ({ readonly kind: 'text'; readonly text: string; readonly language?: string | null | undefined } & Titled)
  | ({ readonly kind: 'list'; readonly items: readonly ResultItem[]; readonly more?: boolean | undefined } & Titled)
  | ({
      readonly kind: 'table'
      readonly columns: readonly ResultText[]
      readonly rows: readonly (readonly ResultValue[])[]
      readonly more?: boolean | undefined
    } & Titled)
  | ({ readonly kind: 'waveform'; readonly durationMs: number; readonly peaks: readonly number[] } & Titled)
  | ({
      readonly kind: 'transcript'
      readonly language?: string | null | undefined
      readonly segments: readonly ResultSegment[]
      readonly more?: boolean | undefined
    } & Titled)

/** A text of the host's packages in the languages of the page, or one that others wrote. */
export type ResultText = string | { readonly nb: string; readonly nn: string; readonly en: string }

/** What a row or a cell says. */
export type ResultValue = ResultText | number | { readonly duration_ms: number } | { readonly time: string } | null

/** How something is to be taken. */
export type ResultTone = 'neutral' | 'good' | 'warn' | 'bad'

/** Words that bear something out. */
export interface ResultQuote {
  text: string
  start_ms: number | null
  who: string | null
}

/** One of a list. */
export interface ResultItem {
  text: ResultText
  start_ms: number | null
  who: string | null
  mark: { text: ResultText; tone: ResultTone } | null
  note: ResultText | null
  quotes: readonly ResultQuote[]
}

/** A stretch of a recording and what was said in it. */
export interface ResultSegment {
  start_ms: number
  end_ms: number
  speaker: string | null
  text: string
  doubts: readonly ResultText[]
}

interface Titled {
  title: ResultText | null
}

/** A piece of what a job came to; of each kind only a bounded part, `more` says whether there is more. */
export type ResultPart =
  | { kind: 'note'; tone: 'neutral' | 'warn'; text: ResultText }
  | ({ kind: 'facts'; rows: readonly { label: ResultText; value: ResultValue }[] } & Titled)
  | ({ kind: 'text'; text: string; language: string | null } & Titled)
  | ({ kind: 'list'; items: readonly ResultItem[]; more: boolean } & Titled)
  | ({ kind: 'table'; columns: readonly ResultText[]; rows: readonly (readonly ResultValue[])[]; more: boolean } & Titled)
  | ({ kind: 'waveform'; duration_ms: number; peaks: readonly number[] } & Titled)
  | ({ kind: 'transcript'; language: string | null; segments: readonly ResultSegment[]; more: boolean } & Titled)

/** One kind of part. */
export type PartOf<Kind extends ResultPart['kind']> = Extract<ResultPart, { kind: Kind }>

/** `GET {base}/:id/result` */
export interface ResultBody {
  /** The run whose result this is; null while the job is not finished. */
  run: number | null
  /** None: there is nothing to draw, and the result is shown as data. */
  parts: readonly ResultPart[]
  /** Why there are none although there should be. */
  failed: 'error' | 'too_slow' | null
  /** How many texts had something masked in them. */
  masked: number
  /** Whether something was left out for its size. */
  cut: boolean
}

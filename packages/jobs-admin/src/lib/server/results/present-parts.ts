import type { ResultPart as GivenPart, ResultItem, ResultSegment, ResultText, ResultTone, ResultValue } from '@sidelinja/jobs-core/admin'
import type * as wire from '../../page/wire/result-body.ts'
import { type Budget, createBudget, most } from './budget.ts'

/** Parts as they may be shown: masked, bounded, and nothing in them but what a page knows to draw. Throws for what is no part. */
export function presentParts(given: readonly GivenPart[]): Pick<wire.ResultBody, 'parts' | 'masked' | 'cut'> {
  const budget = createBudget()
  const parts = budget.list(given, most.parts, (part) => presentPart(part, budget))
  return { parts, masked: budget.masked, cut: budget.cut }
}

function presentPart(part: GivenPart, budget: Budget): wire.ResultPart {
  if (part.kind === 'note')
    return { kind: 'note', tone: part.tone === 'warn' ? 'warn' : 'neutral', text: budget.label(part.text, most.line) }
  const title = part.title === undefined ? null : budget.label(part.title)
  switch (part.kind) {
    case 'facts': {
      const rows = budget.list(part.rows, most.facts, ({ label, value }) => ({
        label: budget.label(label),
        value: presentValue(value, budget),
      }))
      return { kind: 'facts', title, rows }
    }
    case 'text':
      return { kind: 'text', title, text: budget.text(part.text, most.text), language: languageTag(part.language) }
    case 'list': {
      const items = budget.list(part.items, most.items, (item) => presentItem(item, budget))
      return { kind: 'list', title, items, more: part.more === true || items.length < part.items.length }
    }
    case 'table':
      return presentTable(part, title, budget)
    case 'waveform':
      return { kind: 'waveform', title, duration_ms: length(part.durationMs), peaks: presentPeaks(part.peaks) }
    case 'transcript': {
      const segments = budget.list(part.segments, most.items, (segment) => presentSegment(segment, budget))
      return {
        ...{ kind: 'transcript', title, language: languageTag(part.language), segments },
        more: part.more === true || segments.length < part.segments.length,
      }
    }
    default:
      throw new TypeError(`Expected a part of a known kind, got ${JSON.stringify((part as { kind?: unknown }).kind)}.`)
  }
}

function presentTable(part: Extract<GivenPart, { kind: 'table' }>, title: wire.ResultText | null, budget: Budget): wire.ResultPart {
  const columns = budget.list(part.columns, most.cells, (column) => budget.label(column))
  const rows = budget.list(part.rows, most.rows, (row) =>
    // As many as there are columns: a cell without one would say nothing.
    columns.map((_, index) => presentValue(row[index] ?? null, budget)),
  )
  return { kind: 'table', title, columns, rows, more: part.more === true || rows.length < part.rows.length }
}

function presentItem({ text, startMs, who, mark, note, quotes = [] }: ResultItem, budget: Budget): wire.ResultItem {
  return {
    text: budget.label(text, most.line),
    start_ms: startMs === undefined ? null : length(startMs),
    who: who == null ? null : budget.text(who, most.label),
    mark: mark ? { text: budget.label(mark.text), tone: toneOf(mark.tone) } : null,
    note: note == null ? null : budget.label(note),
    quotes: budget.list(quotes, most.quotes, (quote) => ({
      text: budget.text(quote.text, most.line),
      start_ms: quote.startMs === undefined ? null : length(quote.startMs),
      who: quote.who == null ? null : budget.text(quote.who, most.label),
    })),
  }
}

function presentSegment({ startMs, endMs, speaker, text, doubts = [] }: ResultSegment, budget: Budget): wire.ResultSegment {
  return {
    ...{ start_ms: length(startMs), end_ms: length(endMs) },
    speaker: speaker == null ? null : budget.text(speaker, most.label),
    text: budget.text(text, most.line),
    doubts: budget.list(doubts, most.doubts, (doubt) => budget.label(doubt)),
  }
}

function presentValue(value: ResultValue, budget: Budget): wire.ResultValue {
  if (value === null || typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'string' || isText(value)) return budget.label(value, most.line)
  return 'durationMs' in value ? { duration_ms: length(value.durationMs) } : { time: value.time.toISOString() }
}

function isText(value: object): value is Exclude<ResultText, string> {
  return 'nb' in value
}

function presentPeaks(peaks: readonly number[]): number[] {
  return peaks.slice(0, most.peaks).map((peak) => Math.round(Math.min(127, Math.max(-128, Number.isFinite(peak) ? peak : 0))))
}

/** Never negative, never what JSON cannot say. */
function length(ms: number): number {
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : 0
}

function toneOf(tone: ResultTone | undefined): ResultTone {
  return tone === 'good' || tone === 'warn' || tone === 'bad' ? tone : 'neutral'
}

/** For the attribute `lang`: what is no tag would tell browsers something wrong. */
function languageTag(language: string | null | undefined): string | null {
  return typeof language === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/.test(language) ? language : null
}

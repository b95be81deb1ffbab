import { type Component, createContext } from 'svelte'
import { formatAge, formatDuration } from './format/duration.ts'
import { formatClock, formatMoment, formatNumber } from './format/time.ts'
import type { Live } from './live/live.ts'
import { isMessage, type MessageKey, translate, type Values } from './messages/index.ts'
import type { JobDetail, Json } from './wire/bodies.ts'
import type { Collection, Count } from './wire/more-bodies.ts'
import type { JobsPageData, Prefs } from './wire/page-data.ts'

/** Shows the result of one job type. */
export type ResultView = Component<{ job: JobDetail; result: Json }>

/** What is to be confirmed before it is done. */
export interface Confirmation {
  action: 'retry' | 'cancel'
  job: { id: string; job_type: string }
}

/** What every part of the page uses. */
export interface Ui {
  readonly data: JobsPageData
  readonly prefs: Prefs
  readonly live: Live
  readonly views: Readonly<Record<string, ResultView>>
  /** Those that the reader sees, as far as it is known. */
  readonly collections: readonly Collection[]
  /** False where nothing may be changed just now. */
  readonly canAct: boolean
  /** Whether scripts run: forms that need them are shown only then. */
  readonly scripted: boolean
  /** Asks for confirmation in a dialog. */
  confirm(what: Confirmation): void
  /** Says something to who cannot see it. */
  announce(text: string): void
  t(key: MessageKey, values?: Values): string
  /** A text whose name is put together; `fallback` where there is none. */
  named(key: string, fallback: string, values?: Values): string
  href(path: string, query?: string): string
  duration(ms: number): string
  age(ms: number): string
  moment(at: string): string
  clock(at: number): string
  number(value: number): string
  count(count: Count | undefined): string
}

/** The parts that the page's root gives. */
export type UiParts = Pick<Ui, 'data' | 'live' | 'views' | 'scripted' | 'confirm' | 'announce'> & { timeZone: string }

/** Where parts find what they share. */
export const [useUi, provideUi] = createContext<Ui>()

/** Puts together what parts use; `parts` has getters, so that it stays current. */
export function createUi(parts: UiParts): Ui {
  const lang = () => parts.data.prefs.lang
  const style = () => ({ lang: lang(), timeZone: parts.timeZone })
  const t = (key: MessageKey, values?: Values) => translate(lang(), key, values)
  return {
    get data() {
      return parts.data
    },
    get prefs() {
      return parts.data.prefs
    },
    get live() {
      return parts.live
    },
    get views() {
      return parts.views
    },
    get scripted() {
      return parts.scripted
    },
    get collections() {
      return parts.live.sources.collections?.body?.collections ?? []
    },
    get canAct() {
      return parts.data.mayAct && parts.live.staleSince === null && parts.live.refused === null
    },
    confirm: (what) => parts.confirm(what),
    announce: (text) => parts.announce(text),
    t,
    named: (key, fallback, values) => (isMessage(key) ? t(key, values) : fallback),
    href: (path, query = '') => `${parts.data.base}${path === '' ? '' : `/${path}`}${query}`,
    duration: (ms) => formatDuration(ms, lang()),
    age: (ms) => formatAge(ms, lang()),
    moment: (at) => formatMoment(at, parts.live.now, style()),
    clock: (at) => formatClock(at, style()),
    number: (value) => formatNumber(value, lang()),
    count: (count) =>
      count?.capped ? t('count.capped', { n: formatNumber(Math.min(count.jobs, 10_000), lang()) }) : formatNumber(count?.jobs ?? 0, lang()),
  }
}

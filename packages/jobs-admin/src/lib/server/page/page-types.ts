import type { ActionFailure } from '@sveltejs/kit'
import type { ActionOutcome, JobsPageData } from '../../page/wire/page-data.ts'
import type { AdminEvent } from '../admin-event.ts'
import type { Inquiry } from '../inquiry.ts'
import type { Route } from '../route.ts'
import type { PageCookies } from './prefs.ts'

/** An action's answer to the page. */
export type PageAnswer = { jobs: ActionOutcome } | ActionFailure<{ jobs: ActionOutcome }>

/** The page's form actions, by name. */
export type PageActions<Event> = Record<
  'retry' | 'cancel' | 'pause' | 'resume' | 'preview' | 'run' | 'abort' | 'ignore' | 'unignore',
  (event: Event) => Promise<PageAnswer>
>

/** What `load` and `actions` use of a SvelteKit event, beside what the host's hooks use. */
export interface PageEvent extends AdminEvent {
  readonly cookies: PageCookies
}

/** What the host's `+page.server.ts` exports: `export const { load, actions } = jobs.page`. */
export interface JobsPage<Event extends AdminEvent> {
  /** The data of the component `JobsAdmin`. Closed for who may not view. */
  load: (event: Event & PageEvent) => Promise<{ jobs: JobsPageData }>
  /** The forms of the page. */
  actions: PageActions<Event & PageEvent>
}

/** How the page reaches what it shows. */
export interface PageParts<Event extends AdminEvent> {
  inquire: (event: Event) => Inquiry<Event>
  routes: readonly Route[]
  /** Notes with which status the page is to be answered. */
  noteStatus: (request: Request, status: number) => void
}

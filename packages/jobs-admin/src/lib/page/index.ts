import Page from './jobs-admin.svelte'

/** The admin page: `<JobsAdmin {data} {form} />` in the host's `+page.svelte`, with what `load` and `actions` of `jobs.page` gave. */
export const JobsAdmin: typeof Page = Page
export type { ResultView } from './ui.svelte.ts'
export type { ActionOutcome, JobsPageData } from './wire/page-data.ts'

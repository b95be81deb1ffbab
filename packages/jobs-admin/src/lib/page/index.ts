import JobsAdmin from './jobs-admin.svelte'

export type { ResultView } from './ui.svelte.ts'
export type { ActionOutcome, JobsPageData } from './wire/page-data.ts'
/** The admin page: `<JobsAdmin {data} {form} />` in the host's `+page.svelte`. */
export { JobsAdmin }

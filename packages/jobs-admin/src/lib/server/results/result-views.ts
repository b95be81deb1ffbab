import type { ResultView } from '@sidelinja/jobs-core/admin'

/** Views by job type. */
export type ResultViews = ReadonlyMap<string, ResultView>

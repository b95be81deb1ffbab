import { abortBulk } from './endpoints/abort-bulk.ts'
import { cancelJob } from './endpoints/cancel-job.ts'
import { explainJob } from './endpoints/explain-job.ts'
import { exportAudit } from './endpoints/export-audit.ts'
import { ignoreErrors, unignoreErrors } from './endpoints/ignore-errors.ts'
import { listAudit } from './endpoints/list-audit.ts'
import { listCollections } from './endpoints/list-collections.ts'
import { listErrorGroups } from './endpoints/list-error-groups.ts'
import { listJobs } from './endpoints/list-jobs.ts'
import { listPauses } from './endpoints/list-pauses.ts'
import { listSchedules } from './endpoints/list-schedules.ts'
import { listWorkers } from './endpoints/list-workers.ts'
import { pauseJobs, resumeJobs } from './endpoints/pause-jobs.ts'
import { previewBulk } from './endpoints/preview-bulk.ts'
import { readActivity } from './endpoints/read-activity.ts'
import { readBulk } from './endpoints/read-bulk.ts'
import { readCounts } from './endpoints/read-counts.ts'
import { readJob } from './endpoints/read-job.ts'
import { readRaw } from './endpoints/read-raw.ts'
import { readResult } from './endpoints/read-result.ts'
import { readRows } from './endpoints/read-rows.ts'
import { retryJob } from './endpoints/retry-job.ts'
import { runBulk } from './endpoints/run-bulk.ts'
import { summarize } from './endpoints/summarize.ts'
import { watchEvents } from './endpoints/watch-events.ts'
import type { Route } from './route.ts'

/** Every endpoint. Each lies in a file of its own below endpoints/. */
export const routes: readonly Route[] = [
  listJobs,
  readRows,
  readJob,
  readRaw,
  explainJob,
  readResult,
  readCounts,
  readActivity,
  listCollections,
  listErrorGroups,
  listWorkers,
  listSchedules,
  listPauses,
  listAudit,
  exportAudit,
  readBulk,
  watchEvents,
  retryJob,
  cancelJob,
  previewBulk,
  runBulk,
  abortBulk,
  pauseJobs,
  resumeJobs,
  ignoreErrors,
  unignoreErrors,
  summarize,
]

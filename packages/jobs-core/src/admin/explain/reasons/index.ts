import type { Rule } from '../reason.ts'
import { cancelRequested } from './cancel-requested.ts'
import { ended } from './ended.ts'
import { jobsAhead } from './jobs-ahead.ts'
import { noWorker } from './no-worker.ts'
import { notDue } from './not-due.ts'
import { paused } from './paused.ts'
import { running } from './running.ts'
import { serviceDown } from './service-down.ts'
import { workersBusy } from './workers-busy.ts'

/** Everything that may keep a job from running, in the order it is told. A new reason is a file here and a line below. */
export const rules: readonly Rule[] = [ended, running, cancelRequested, paused, serviceDown, notDue, noWorker, workersBusy, jobsAhead]

import { cancelJob } from './endpoints/cancel-job.ts'
import { retryJob } from './endpoints/retry-job.ts'
import type { Route } from './route.ts'

/** Every endpoint. Each lies in a file of its own below endpoints/. */
export const routes: readonly Route[] = [retryJob, cancelJob]

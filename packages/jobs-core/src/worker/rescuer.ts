import { isContention } from '../database/sql-state.ts'
import { closeRescuedWorkers } from '../queue/close-rescued-workers.ts'
import { forgetWorkers } from '../queue/forget-workers.ts'
import { markDeadWorkers } from '../queue/mark-dead-workers.ts'
import { rescueJobs } from '../queue/rescue-jobs.ts'
import type { Tally } from './activity/tally.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

/** Every worker looks for dead ones. Between polls, so that a dead worker's jobs run elsewhere within its lease and two polls. */
export function startRescuer(runtime: Runtime, activity: Pick<Tally, 'failed'>): Repetition {
  const { settings, outage } = runtime
  return repeat(
    settings.pollIntervalMs * 1.5,
    () => rescue(runtime, activity),
    (error) => {
      if (!isContention(error)) outage.lost('rescue', error)
    },
  )
}

async function rescue({ queue, session, emit, outage }: Runtime, activity: Pick<Tally, 'failed'>): Promise<void> {
  const dead = await markDeadWorkers(queue, session.id)
  outage.back('rescue')
  if (dead.marked + dead.waiting === 0) return
  const jobs = await rescueJobs(queue)
  activity.failed(
    jobs.filter(({ status }) => status === 'error').map((job) => ({ collectionNodeId: job.collection_node_id, jobType: job.job_type })),
  )
  const workers = await closeRescuedWorkers(queue)
  if (jobs.length > 0 || workers > 0) emit({ name: 'jobs.rescued', jobs: jobs.length, workers })
  await forgetWorkers(queue)
}

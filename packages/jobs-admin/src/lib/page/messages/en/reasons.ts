/** Why a job is not running, and what errors mean. Facts stand in braces. */
export const reasons = {
  'reason.COMPLETED': 'It was done {at}.',
  'reason.FAILED': 'It failed for good {at}, on attempt {attempts} of {maxAttempts}.',
  'reason.CANCELLED': 'It was cancelled {at}. A retry makes it due again.',
  'reason.RUNNING': 'It has been running for {sinceAge}.',
  'reason.CLAIMED_AHEAD': 'A worker has claimed it and starts in a moment.',
  'reason.RUNNER_LOST': 'The worker that ran it is lost. The job is taken back as soon as another worker looks.',
  'reason.CANCEL_REQUESTED': 'It was asked to stop {sinceAge} ago, and ends as soon as it can.',
  'reason.PAUSED.collection': 'The collection is paused since {since}.',
  'reason.PAUSED.type': 'The type {type} is paused everywhere since {since}.',
  'reason.PAUSED.both': 'The type {type} is paused in this collection since {since}.',
  'reason.SERVICE_DOWN':
    'The service {service}, which it needs, has been down since {since}. At {probeAt} one job finds out whether it is back.',
  'reason.SERVICE_DOWN.probing':
    'The service {service}, which it needs, has been down since {since}. One job is finding out just now whether it is back.',
  'reason.SCHEDULED': 'It is due {dueAt}, in {dueIn}.',
  'reason.WAITS_FOR_RETRY': 'Attempt {attempts} of {maxAttempts} failed. The next one is {dueAt}, in {dueIn}.',
  'reason.SNOOZED': 'It asked to come back {dueAt}, in {dueIn}.',
  'reason.NO_WORKER': 'No worker can run the type {type}. Start one that has it.',
  'reason.WORKERS_LOST':
    'The only worker that can run {type} is lost. It was last heard of {lastHeartbeatAt}.|All {n} workers that can run {type} are lost. They were last heard of {lastHeartbeatAt}.',
  'reason.WORKERS_DRAINING': 'The only worker that can run {type} is stopping.|All {n} workers that can run {type} are stopping.',
  'reason.WORKERS_BUSY':
    'The worker that can run it is busy in all its {slots} slots.|All {n} workers that can run it are busy in their {slots} slots.',
  'reason.JOBS_AHEAD': '{jobs} job stands before it in the queue.|{jobs} jobs stand before it in the queue.',
  'reason.JOBS_AHEAD.more': 'More than {jobs} jobs stand before it in the queue.',
  'reason.NEXT_POLL': 'Nothing keeps it: a worker takes it the next time it looks.',
  'reason.by': 'By {by}.',
  'reason.why': 'Why: {reason}',
  'reason.error': 'The error was: {error}',
  'error.ECONNREFUSED': 'The service it was to talk to did not answer.',
  'error.ETIMEDOUT': 'The service it was to talk to took too long.',
  'error.ENOTFOUND': 'The address of the service does not exist.',
  'error.JOB_TIMEOUT': 'The job took more time than its type may.',
  'error.LEASE_EXPIRED': 'The worker was lost while it ran.',
} as const

/** Why a job is not running, and what errors mean. Facts stand in braces. */
export const reasons = {
  'reason.COMPLETED': 'Den ble ferdig {at}.',
  'reason.FAILED': 'Den feilet for godt {at}, på forsøk {attempts} av {maxAttempts}.',
  'reason.CANCELLED': 'Den ble avbrutt {at}. Prøver du den på nytt, blir den klar igjen.',
  'reason.RUNNING': 'Den har kjørt i {sinceAge}.',
  'reason.CLAIMED_AHEAD': 'En worker har hentet den og begynner straks.',
  'reason.RUNNER_LOST': 'Workeren som kjørte den, er borte. Jobben tas tilbake så snart en annen worker ser etter.',
  'reason.CANCEL_REQUESTED': 'Den ble bedt om å stoppe for {sinceAge} siden, og slutter så snart den kan.',
  'reason.PAUSED.collection': 'Samlingen er satt på pause siden {since}.',
  'reason.PAUSED.type': 'Typen {type} er satt på pause overalt siden {since}.',
  'reason.PAUSED.both': 'Typen {type} er satt på pause i denne samlingen siden {since}.',
  'reason.SERVICE_DOWN': 'Tjenesten {service}, som den trenger, har vært nede siden {since}. {probeAt} prøver én jobb om den er tilbake.',
  'reason.SERVICE_DOWN.probing':
    'Tjenesten {service}, som den trenger, har vært nede siden {since}. En jobb prøver akkurat nå om den er tilbake.',
  'reason.SCHEDULED': 'Den skal kjøre {dueAt}, om {dueIn}.',
  'reason.WAITS_FOR_RETRY': 'Forsøk {attempts} av {maxAttempts} feilet. Neste forsøk er {dueAt}, om {dueIn}.',
  'reason.SNOOZED': 'Den har selv bedt om å få komme tilbake {dueAt}, om {dueIn}.',
  'reason.NO_WORKER': 'Ingen worker kan kjøre typen {type}. Start en som har den.',
  'reason.WORKERS_LOST':
    'Den eneste workeren som kan kjøre {type}, er borte. Den ga sist lyd {lastHeartbeatAt}.|Alle {n} workerne som kan kjøre {type}, er borte. De ga sist lyd {lastHeartbeatAt}.',
  'reason.WORKERS_DRAINING':
    'Den eneste workeren som kan kjøre {type}, er i ferd med å stoppe.|Alle {n} workerne som kan kjøre {type}, er i ferd med å stoppe.',
  'reason.WORKERS_BUSY':
    'Workeren som kan kjøre den, er opptatt på alle sine {slots} plasser.|Alle {n} workerne som kan kjøre den, er opptatt på sine {slots} plasser.',
  'reason.JOBS_AHEAD': '{jobs} jobb står foran den i køen.|{jobs} jobber står foran den i køen.',
  'reason.JOBS_AHEAD.more': 'Mer enn {jobs} jobber står foran den i køen.',
  'reason.NEXT_POLL': 'Ingenting holder den igjen: en worker tar den neste gang den ser etter.',
  'reason.by': 'Av {by}.',
  'reason.why': 'Grunn: {reason}',
  'reason.error': 'Feilen var: {error}',
  'error.ECONNREFUSED': 'Tjenesten den skulle snakke med, svarte ikke.',
  'error.ETIMEDOUT': 'Tjenesten den skulle snakke med, brukte for lang tid.',
  'error.ENOTFOUND': 'Adressen til tjenesten finnes ikke.',
  'error.JOB_TIMEOUT': 'Jobben brukte mer tid enn typen har lov til.',
  'error.LEASE_EXPIRED': 'Workeren ble borte mens den arbeidet.',
} as const

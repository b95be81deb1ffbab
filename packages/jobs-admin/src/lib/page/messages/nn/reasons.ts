/** Why a job is not running, and what errors mean. Facts stand in braces. */
export const reasons = {
  'reason.COMPLETED': 'Han vart ferdig {at}.',
  'reason.FAILED': 'Han feila for godt {at}, på forsøk {attempts} av {maxAttempts}.',
  'reason.CANCELLED': 'Han vart avbroten {at}. Prøver du han på nytt, blir han klar igjen.',
  'reason.RUNNING': 'Han har køyrt i {sinceAge}.',
  'reason.CLAIMED_AHEAD': 'Ein worker har henta han og byrjar straks.',
  'reason.RUNNER_LOST': 'Workeren som køyrde han, er borte. Jobben blir teken tilbake så snart ein annan worker ser etter.',
  'reason.CANCEL_REQUESTED': 'Han vart beden om å stoppe for {sinceAge} sidan, og sluttar så snart han kan.',
  'reason.PAUSED.collection': 'Samlinga er sett på pause sidan {since}.',
  'reason.PAUSED.type': 'Typen {type} er sett på pause overalt sidan {since}.',
  'reason.PAUSED.both': 'Typen {type} er sett på pause i denne samlinga sidan {since}.',
  'reason.SERVICE_DOWN': 'Tenesta {service}, som han treng, har vore nede sidan {since}. {probeAt} prøver éin jobb om ho er tilbake.',
  'reason.SERVICE_DOWN.probing':
    'Tenesta {service}, som han treng, har vore nede sidan {since}. Ein jobb prøver akkurat no om ho er tilbake.',
  'reason.SCHEDULED': 'Han skal køyre {dueAt}, om {dueIn}.',
  'reason.WAITS_FOR_RETRY': 'Forsøk {attempts} av {maxAttempts} feila. Neste forsøk er {dueAt}, om {dueIn}.',
  'reason.SNOOZED': 'Han har sjølv bede om å få kome tilbake {dueAt}, om {dueIn}.',
  'reason.NO_WORKER': 'Ingen worker kan køyre typen {type}. Start ein som har han.',
  'reason.WORKERS_LOST':
    'Den einaste workeren som kan køyre {type}, er borte. Han gav sist lyd {lastHeartbeatAt}.|Alle {n} workerane som kan køyre {type}, er borte. Dei gav sist lyd {lastHeartbeatAt}.',
  'reason.WORKERS_DRAINING':
    'Den einaste workeren som kan køyre {type}, er i ferd med å stoppe.|Alle {n} workerane som kan køyre {type}, er i ferd med å stoppe.',
  'reason.WORKERS_BUSY':
    'Workeren som kan køyre han, er oppteken på alle sine {slots} plassar.|Alle {n} workerane som kan køyre han, er opptekne på sine {slots} plassar.',
  'reason.JOBS_AHEAD': '{jobs} jobb står føre han i køen.|{jobs} jobbar står føre han i køen.',
  'reason.JOBS_AHEAD.more': 'Meir enn {jobs} jobbar står føre han i køen.',
  'reason.NEXT_POLL': 'Ingenting held han att: ein worker tek han neste gong han ser etter.',
  'reason.by': 'Av {by}.',
  'reason.why': 'Grunn: {reason}',
  'reason.error': 'Feilen var: {error}',
  'error.ECONNREFUSED': 'Tenesta han skulle snakke med, svara ikkje.',
  'error.ETIMEDOUT': 'Tenesta han skulle snakke med, brukte for lang tid.',
  'error.ENOTFOUND': 'Adressa til tenesta finst ikkje.',
  'error.JOB_TIMEOUT': 'Jobben brukte meir tid enn typen har lov til.',
  'error.LEASE_EXPIRED': 'Workeren vart borte medan han arbeidde.',
} as const

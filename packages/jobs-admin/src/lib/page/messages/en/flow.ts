/** What ended over time, and how long it took. */
export const flow = {
  'flow.title': 'Flow',
  'flow.span': 'How far back',
  'flow.span.minute': '30 minutes',
  'flow.span.hour': '24 hours',
  'flow.failed': 'Failed for good',
  'flow.retried': 'Failed, tried again',
  'flow.now': 'now',
  'flow.none': '{title}, {span}: none.',
  'flow.description': '{title}, {span}: {total} in all, at most {peak} from {at}.',
  'flow.numbers': 'Show the numbers',
  'flow.numbers.caption': 'Jobs that ended, the newest first',
  'flow.from': 'From',
  'flow.times': 'Times by type',
  'flow.times.caption': 'Throughput and times by type',
  'flow.wait.usual': 'Wait, usual',
  'flow.wait.long': 'Wait, long',
  'flow.run.usual': 'Run, usual',
  'flow.run.long': 'Run, long',
  'flow.times.explained':
    'Times are of this hour and the one before. Half of the jobs take less than “usual”, 95 in 100 less than “long”. All numbers here are some seconds old.',
} as const

import { createCounter } from '../src/counter.ts'
import { createDayClock } from '../src/local-day.ts'
import { createClassifier } from '../src/user-agents/classify.ts'

/** Prints which day each time of the argument is counted on, and when that day's salt goes; whatever zone the process lives in. */
if (import.meta.main) {
  const times: (string | number)[] = JSON.parse(process.argv[2] ?? '[]')
  console.log(JSON.stringify({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, days: times.map(dayOf) }))
}

function dayOf(ts: string | number): { day: string | undefined; ends: string } {
  const clock = createDayClock('Europe/Oslo')
  const counter = createCounter({ mediaPrefixes: ['/m/'], episodes: {}, clock, now: new Date(0), classify: createClassifier() })
  counter.count(JSON.stringify({ ts, request: { method: 'GET', uri: '/m/a.mp3', client_ip: '203.0.113.1' }, status: 200, size: 9 }))
  const [group] = counter.listeners.groups()
  return { day: group?.day, ends: new Date(clock.endOf(group?.day ?? '')).toISOString() }
}

import type { StatusReport } from '@sidelinja/jobs-kit'
import { expect, test } from 'vitest'
import { sinkLine } from './sink-line.ts'

const about = { sink: 'spacetimedb', dropped: 2 }
const error = { code: 'UPSTREAM_UNAUTHORIZED', message: 'It said: not with Bearer hunter2hunter2.', stack: 'Error: hunter2' }

test.each<[StatusReport, string, string, object]>([
  [{ name: 'sink.down', ...about, error }, 'warn', 'statuses do not get through, trying again; jobs go on', { error_code: error.code }],
  [{ name: 'sink.back', ...about, afterMs: 1_500.4 }, 'info', 'statuses get through again', { ms: 1_500 }],
  [{ name: 'sink.full', ...about }, 'warn', 'jobs change faster than their statuses can be sent: some are left out', {}],
  [{ name: 'sink.left', ...about, unsent: 3 }, 'warn', 'ended before all statuses were sent', { unsent: 3 }],
])('%o', (report, level, message, fields) => {
  const line = sinkLine(report)
  expect(line).toMatchObject({ level, message, fields: { event: report.name, ...about, ...fields } })
  expect(JSON.stringify(line)).not.toContain('hunter2')
})

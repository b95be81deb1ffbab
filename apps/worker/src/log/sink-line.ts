import type { StatusReport } from '@sidelinja/jobs-kit'
import type { LogLine } from './log-line.ts'
import { maskFields } from './mask-fields.ts'

/** What a report about a sink of statuses says in the log. Pure; credentials are masked. */
export function sinkLine(report: StatusReport): LogLine {
  const { level, message, fields } = lineOf(report)
  const common = { event: report.name, sink: report.sink, dropped: report.dropped }
  return { level, message, fields: { ...common, ...(maskFields(fields) as LogLine['fields']) } }
}

function lineOf(report: StatusReport): LogLine {
  switch (report.name) {
    case 'sink.down':
      return {
        level: 'warn',
        message: 'statuses do not get through, trying again; jobs go on',
        fields: { error_code: report.error.code, error: report.error.message },
      }
    case 'sink.back':
      return { level: 'info', message: 'statuses get through again', fields: { ms: Math.round(report.afterMs) } }
    case 'sink.full':
      return { level: 'warn', message: 'jobs change faster than their statuses can be sent: some are left out', fields: {} }
    case 'sink.left':
      return { level: 'warn', message: 'ended before all statuses were sent', fields: { unsent: report.unsent } }
  }
}

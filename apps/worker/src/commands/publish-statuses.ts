import { createSpacetimeSink, createStatusPublisher, type SpacetimeOptions, type StatusPublisher } from '@sidelinja/jobs-kit'
import type { Logger } from 'pino'
import { sinkLine } from '../log/sink-line.ts'

/** Tells SpacetimeDB how jobs stand, and the log how that goes. */
export function publishStatuses(spacetime: SpacetimeOptions, logger: Logger): StatusPublisher {
  return createStatusPublisher({
    sink: createSpacetimeSink(spacetime),
    onReport: (report) => {
      const { level, message, fields } = sinkLine(report)
      logger[level](fields, message)
    },
  })
}

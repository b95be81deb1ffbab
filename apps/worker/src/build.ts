import type { HandlerPackage } from '@sidelinja/jobs-kit'

/** A selection of handler packages and its name, which stands in the log and in --help. */
export interface WorkerBuild {
  name: string
  handlers: readonly HandlerPackage[]
}

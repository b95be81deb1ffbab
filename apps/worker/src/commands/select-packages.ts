import { ConfigurationError } from '@sidelinja/jobs-core'
import { closest } from '@sidelinja/jobs-core/worker'
import type { HandlerPackage } from '@sidelinja/jobs-kit'
import type { WorkerBuild } from '../build.ts'

/** The packages of the types asked for, so that what is not asked for needs no services either. */
export function selectPackages(build: WorkerBuild, types: readonly string[] | undefined): readonly HandlerPackage[] {
  if (types === undefined) return build.handlers
  return types.map((type) => build.handlers.find(({ definition }) => definition.type === type) ?? missing(type, build))
}

function missing(type: string, build: WorkerBuild): never {
  const known = build.handlers.map(({ definition }) => definition.type)
  const meant = closest(type, known)
  throw new ConfigurationError(
    'TYPE_NOT_IN_BUILD',
    `The build ${build.name} has no handler for the job type ${JSON.stringify(type)}.${meant ? ` Did you mean ${meant}?` : ''} It can run: ${known.join(', ') || 'nothing yet'}.`,
  )
}

import { ConfigurationError } from '@sidelinja/jobs-core'
import type { AdoptOptions } from '@sidelinja/jobs-core/admin'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `migrate --adopt`, `--adopt-collection <uuid>`, `--dry-run`, `--force`. Refuses them where they mean nothing. */
export function readAdoptOptions(
  command: string,
  flags: ReadonlyMap<string, string>,
  switches: ReadonlySet<string>,
): AdoptOptions | undefined {
  const collectionNodeId = flags.get('adopt-collection')
  const given = [...flags.keys(), ...switches].filter((name) => ['adopt', 'adopt-collection', 'dry-run', 'force'].includes(name))
  if (given.length === 0) return undefined
  const named = given.map((name) => `--${name}`).join(', ')
  if (command !== 'migrate') throw new ConfigurationError('OPTION_INVALID', `${named} belongs to the command migrate.`)
  if (!switches.has('adopt') && collectionNodeId === undefined) {
    throw new ConfigurationError('OPTION_INVALID', `${named} goes with --adopt or --adopt-collection. See also migrate status.`)
  }
  if (collectionNodeId !== undefined && !uuid.test(collectionNodeId)) {
    throw new ConfigurationError(
      'OPTION_INVALID',
      `--adopt-collection must be the uuid of a node, got ${JSON.stringify(collectionNodeId)}.`,
    )
  }
  const [dryRun, force] = [switches.has('dry-run'), switches.has('force')]
  return { dryRun, force, ...(collectionNodeId === undefined ? {} : { collectionNodeId }) }
}

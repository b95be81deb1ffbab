import { SERVICE_SETTINGS, type ServiceSetting } from '../options/service-settings.ts'
import { SETTINGS } from '../options/settings.ts'

/** The text of --help. */
export function helpText(build: string, types: readonly string[]): string {
  const flags = SETTINGS.map(
    (spec) => `  ${`--${spec.flag} ${spec.placeholder}`.trimEnd().padEnd(24)} ${spec.env.padEnd(26)} ${explain(spec)}`,
  )
  const services = Object.values<ServiceSetting>(SERVICE_SETTINGS).map((spec) => `  ${spec.env.padEnd(24)} ${explain(spec)}`)
  return `sidelinja-worker: runs background jobs from PostgreSQL (build ${build})

Usage
  sidelinja-worker [start] [options]   run jobs until SIGTERM or SIGINT; a second ends the drain, a third all
  sidelinja-worker migrate             bring the database's tables up to date
  sidelinja-worker migrate status      list what is applied and what is not
  sidelinja-worker migrate --adopt [--adopt-collection <uuid>] [--dry-run] [--force]
                                       take over a job_queue that was there before, with all its jobs
  sidelinja-worker migrate --roles     also make the group roles and row-level security; from then on migrate keeps them
  sidelinja-worker --help | --version

Options, each also an environment variable; the option wins
${flags.join('\n')}

Options of migrate --adopt
  --adopt-collection <uuid>  the collection (a node's id) of jobs that have none; implies --adopt
  --dry-run                  say what would be done, what it would lock and what is in the way; change nothing
  --force                    do not ask whether old workers are still connected

Database, by environment only
  DATABASE_URL             postgres://user:password@host:5432/database
  DATABASE_URL_FILE        a file that holds it

Services, by environment only; what is secret may stand in a file instead, which <name>_FILE names
${services.join('\n')}

Exit codes
  0  done, or stopped as asked
  1  failed, or ended at once by a further signal
  2  wrong options, environment or set-up
  5  database unreachable (migrate; start waits for it)

Job types of this build
  ${types.length > 0 ? types.join('\n  ') : 'none yet'}
`
}

function explain({ kind, help, default: standard }: { kind: string; help: string; default: string | undefined }): string {
  return `${help}${kind === 'secret' ? ' (secret)' : ''}${standard === undefined ? '' : ` (default ${standard})`}`
}

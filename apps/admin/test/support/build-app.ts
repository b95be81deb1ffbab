import { execFile } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const folder = join(import.meta.dirname, '../..')
const built = join(folder, 'build/handler.js')
const run = promisify(execFile)
/** Any number that nobody else locks. */
const LOCK = 5_117_001

/** Builds what is deployed, where a source is newer than it: about three seconds. Test files that run at once build one after the other. */
export async function buildApp(server: { connectionString: string }): Promise<void> {
  const client = new pg.Client(server.connectionString)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    if (isStale()) {
      await run(process.execPath, [join(folder, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
        cwd: folder,
        // A test runner's NODE_ENV would make it a build for development.
        env: { ...process.env, NODE_ENV: 'production' },
      })
    }
  } finally {
    await client.end()
  }
}

function isStale(): boolean {
  if (!existsSync(built)) return true
  const { mtimeMs } = statSync(built)
  const sources = ['src/**', 'vite.config.ts', 'package.json', '../../packages/*/src/**', '../../pnpm-lock.yaml']
  return globSync(sources, { cwd: folder }).some((file) => statSync(join(folder, file)).mtimeMs > mtimeMs)
}

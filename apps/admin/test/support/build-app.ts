import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Builds what is deployed, where that was built from other sources: about three seconds. Test files that run at once wait for each other. */
export async function buildApp(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../build.mjs')])
}

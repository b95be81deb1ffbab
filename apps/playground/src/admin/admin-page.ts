import type { PlaygroundRun } from '../playground-run.ts'
import { buildPage } from './build-page.ts'
import { choosePort } from './choose-port.ts'
import { pageOrigin, type ServedPage, servePage } from './serve-page.ts'

/** The admin page beside the samples. */
export interface AdminPage {
  /** Starts it as soon as it is built; does not wait for that. */
  serve(databaseUrl: string): void
  /** Its address, when it listens. */
  ready(): Promise<string>
  stop(): Promise<void>
}

/** Chooses the port and begins to build, while the database starts. */
export async function prepareAdminPage(run: PlaygroundRun): Promise<AdminPage> {
  const port = await choosePort(run.adminPort)
  const ended = new AbortController()
  const options = { print: run.print, signal: AbortSignal.any([run.signal, ended.signal]) }
  const built = buildPage(options)
  let served: Promise<ServedPage> = built.then(() => Promise.reject(new Error('serve() comes before ready()')))
  // Whoever asks when it is ready is told what was wrong.
  served.catch(() => {})
  return {
    serve(databaseUrl) {
      served = built.then(() => servePage({ ...options, databaseUrl, port }))
      served.catch(() => {})
    },
    async ready() {
      await served
      return `${pageOrigin(port)}/admin/jobs`
    },
    async stop() {
      ended.abort()
      await served.then(
        (page) => page.stop(),
        () => {},
      )
    },
  }
}

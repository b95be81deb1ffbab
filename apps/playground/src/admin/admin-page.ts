import type { PlaygroundRun } from '../playground-run.ts'
import { buildPage } from './build-page.ts'
import { choosePort } from './choose-port.ts'
import { pageOrigin, type ServedPage, servePage } from './serve-page.ts'

/** The admin page beside the samples. */
export interface AdminPage {
  /** Starts it as soon as it is built; does not wait for that. */
  serve(databaseUrl: string): void
  /** Its address, when it listens. After `serve`. */
  ready(): Promise<string>
  stop(): Promise<void>
}

/** Chooses the port and begins to build, while the database starts. */
export async function prepareAdminPage(run: PlaygroundRun): Promise<AdminPage> {
  const port = await choosePort(run.adminPort)
  const address = `${pageOrigin(port)}/admin/jobs`
  const ended = new AbortController()
  const options = { print: run.print, signal: AbortSignal.any([run.signal, ended.signal]) }
  const built = buildPage(options)
  // Whoever asks when it is ready is told what was wrong.
  built.catch(() => {})
  let served: Promise<ServedPage> | undefined
  return {
    serve(databaseUrl) {
      served = built.then(() => servePage({ ...options, databaseUrl, port }))
      // Before the samples are done: it is then that there is most to see.
      served.then(
        () => run.print(`Admin page: ${address}`),
        () => {},
      )
    },
    async ready() {
      await served
      return address
    },
    async stop() {
      ended.abort()
      await served?.then(
        (page) => page.stop(),
        () => {},
      )
    },
  }
}

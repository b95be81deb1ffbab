// Starts the built application: the adapter's own server takes its origin from headers, which a client can send.
import { createServer } from 'node:http'
import { HOST_HEADER, PROTOCOL_HEADER, pinOrigin } from './src/server/pin-origin.mjs'
import { readServerSettings } from './src/server/server-settings.mjs'

const EXIT_CONFIGURATION = 2
const STOP_MS = 10_000
const LOGGED_MAX = 20

const read = readServerSettings(process.env)
if ('problems' in read) {
  for (const problem of read.problems) console.error(problem)
  process.exit(EXIT_CONFIGURATION)
}
const { origin, host, port } = read.settings
process.env.PROTOCOL_HEADER = PROTOCOL_HEADER
process.env.HOST_HEADER = HOST_HEADER
process.env.BODY_SIZE_LIMIT ??= '256K'

// Not a plain import: the type check would read all that was built.
const { handler } = await import(new URL('./build/handler.js', import.meta.url).href).catch(explainStart)
const logged = new Set()
let stopping = false
const server = createServer((request, response) => {
  // Else a browser's connection would stay for seconds after its stream has ended.
  response.once('close', () => stopping && setImmediate(() => server.closeIdleConnections()))
  const refusal = pinOrigin(request, origin)
  if (!refusal) return handler(request, response, () => response.writeHead(404).end())
  if (refusal.log && logged.size < LOGGED_MAX && !logged.has(refusal.log)) console.error(refusal.log)
  logged.add(refusal.log)
  response.writeHead(refusal.status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }).end(refusal.text)
})
server.once('error', explainListen)
server.listen(port, host, () => {
  const address = server.address()
  const bound = typeof address === 'object' && address ? `port ${address.port}` : address
  console.log(`Listening on ${host}, ${bound}, for ${origin.origin}`)
})
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)

/** Streams end at once, requests get a while. */
function stop() {
  stopping = true
  // SvelteKit's own event, which Node's types do not know.
  process.emit(/** @type {any} */ ('sveltekit:shutdown'), 'SIGTERM')
  server.close(() => process.exit(0))
  server.closeIdleConnections()
  setTimeout(() => server.closeAllConnections(), STOP_MS).unref()
}

/** @param {NodeJS.ErrnoException} error */
function explainListen({ code, message }) {
  const isTaken = code === 'EADDRINUSE'
  console.error(isTaken ? `Port ${port} of ${host} is taken by another program. Set PORT to a free one.` : `Cannot listen: ${message}`)
  process.exit(EXIT_CONFIGURATION)
}

/** @param {Error & { code?: string }} error */
function explainStart(error) {
  const isUnbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('build/handler.js')
  console.error(isUnbuilt ? 'The application has not been built: run pnpm build in apps/admin.' : error.message)
  process.exit(EXIT_CONFIGURATION)
}

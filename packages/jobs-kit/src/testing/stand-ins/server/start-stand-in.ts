import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from './answer.ts'
import { createFaultQueue, type Fault } from './faults.ts'
import { createRequestLog, describeRequest, type ReceivedRequest } from './received.ts'
import { send, untilAborted } from './send.ts'
import type { StandIn, StandInOptions } from './stand-in.ts'

/** What makes one service out of a server. */
export interface Service<Request extends ReceivedRequest> {
  describe(): string
  /** Reads the body, and adds what this service looks at to the request. Faults that let the body through come after it. */
  receive(message: IncomingMessage, request: Request): Promise<void>
  /** What the service says. The signal is aborted when the stand-in closes; `left` also when the client has gone. */
  answer(request: Request, signals: { closing: AbortSignal; left: AbortSignal }): Promise<Answer>
  /** What a fault's answer looks like when this service gives it. Default: as it is. */
  dress?(answer: Answer, request: Request): Answer
  /** Afterwards, whatever came of it. */
  release?(request: Request): Promise<void>
}

/** Serves on 127.0.0.1, with faults and a log of what came in. */
export async function startStandIn<Request extends ReceivedRequest>(
  service: Service<Request>,
  options: StandInOptions = {},
): Promise<StandIn<Request>> {
  const faults = createFaultQueue()
  faults.add(options.faults ?? [])
  const log = createRequestLog<Request>()
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let peak = 0
  const server = createServer((message, response) => {
    const exchange = serve({ service, log, fault: faults.take() ?? {}, closing: closing.signal }, message, response).catch(() => {
      response.socket?.destroy()
    })
    running.add(exchange)
    peak = Math.max(peak, running.size)
    void exchange.finally(() => running.delete(exchange))
  })
  // Five minutes otherwise, which a slow upload may well take.
  server.requestTimeout = 0
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const close = async () => {
    closing.abort(new Error('The stand-in is closing'))
    server.closeAllConnections()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.all([closed, ...running])
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: log.requests,
    get peak() {
      return peak
    },
    received: log.received,
    fail: (...more) => faults.add(more),
    recover: faults.clear,
    describe: service.describe,
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Exchange<Request extends ReceivedRequest> {
  service: Service<Request>
  log: { add(request: Request): void }
  fault: Fault
  closing: AbortSignal
}

async function serve<Request extends ReceivedRequest>(
  { service, log, fault, closing }: Exchange<Request>,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('The client has left')))
  const left = AbortSignal.any([closing, gone.signal])
  const ended = Promise.withResolvers<'answered' | 'cut' | 'left'>()
  const request = { ...describeRequest(message), status: undefined, ended: ended.promise } as ReceivedRequest as Request
  log.add(request)
  try {
    if (fault.upload) await spoilUpload(fault.upload, message, left)
    await service.receive(message, request)
    const answer = fault.answer ? dressed(service, fault.answer, request) : await service.answer(request, { closing, left })
    request.status = answer.status
    ended.resolve((await send(response, answer, fault, left)) ? 'answered' : 'cut')
  } catch (error) {
    if (!left.aborted && !response.headersSent && fault.upload === undefined)
      return void response.writeHead(500).end(`The stand-in failed: ${error}`)
    throw error
  } finally {
    // Of no effect when it has settled.
    ended.resolve(fault.upload === 'drop' ? 'cut' : 'left')
    await service.release?.(request)
  }
}

function dressed<Request extends ReceivedRequest>({ dress }: Service<Request>, given: Partial<Answer>, request: Request): Answer {
  const answer: Answer = { status: 500, headers: {}, body: '', ...given }
  return dress?.(answer, request) ?? answer
}

async function spoilUpload(how: 'stall' | 'drop', message: IncomingMessage, left: AbortSignal): Promise<never> {
  await Promise.race([once(message, 'readable'), once(message, 'end')])
  if (how === 'stall') await untilAborted(left)
  message.socket.destroy()
  throw new Error('The upload was cut')
}

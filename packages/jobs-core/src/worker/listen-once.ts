import pg from 'pg'
import { notify } from '../queue/notify.ts'
import type { PollingReason } from './events.ts'
import type { Pulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'

/** The channel migrations/queue notifies. */
const channel = 'job_queue_wake'
/** The channel that whoever cancels a running job notifies. */
const cancelChannel = 'job_queue_cancel'
/** The channel that whoever opens or closes the breaker of a service notifies. */
const serviceChannel = 'job_queue_services'
const connectMs = 10_000
/** The wait for an echo is cut into so many pieces: an event loop that stands still for long uses up only one of them. */
const pieces = 10

export interface WakeUpTiming {
  /** How long after a self-test the next one comes. */
  testEveryMs: number
  /** How long a notification to oneself may take. */
  echoMs: number
}

/** Whom notifications are for. */
export interface Heard {
  wake: () => void
  lookForCancels: () => void
  lookAtServices: () => void
}

interface Listening extends Heard {
  /** Called after each self-test that was heard. */
  onHeard: () => void
  timing: WakeUpTiming
  /** Wakes whoever waits here: for an echo, for the next self-test. */
  pulse: Pulse
  signal: AbortSignal
}

/** Why it listens no more. */
export interface ListeningEnd {
  reason: Extract<PollingReason, 'lost' | 'deaf'>
  error: unknown
}

interface Ear {
  client: pg.Client
  /** A channel nobody else uses. */
  echoChannel: string
  /** How many notifications to itself have arrived. */
  echoes: number
  /** What ended the connection. */
  end: { error: unknown } | undefined
}

/** Listens for the life of one connection, or until it turns out to hear nothing. Never rejects. */
export async function listenOnce(runtime: Runtime, listening: Listening): Promise<ListeningEnd> {
  const { pulse, timing, signal } = listening
  const ear = openEar(runtime, listening)
  const leave = () => void ear.client.end().catch(() => {})
  signal.addEventListener('abort', leave)
  let heardBefore = false
  try {
    await runtime.gate.through(() => ear.client.connect())
    await ear.client.query(`listen ${channel}; listen ${cancelChannel}; listen ${serviceChannel}; listen ${ear.echoChannel}`)
    // What was enqueued while nobody listened.
    listening.wake()
    while (!signal.aborted) {
      const echo = await sendEcho(runtime, ear, listening)
      if (ear.end || signal.aborted) break
      if (echo === 'lost') return { reason: heardBefore ? 'lost' : 'deaf', error: new Error('LISTEN went through, but nothing arrives.') }
      heardBefore ||= echo === 'heard'
      if (echo === 'heard') listening.onHeard()
      await pulse.sleep(echo === 'heard' ? timing.testEveryMs : timing.echoMs)
      if (ear.end) break
    }
    return { reason: 'lost', error: ear.end?.error }
  } catch (error) {
    return { reason: 'lost', error }
  } finally {
    signal.removeEventListener('abort', leave)
    // Not waited for: a connection that is dead without saying so does not answer to a goodbye.
    leave()
  }
}

function openEar({ settings, session }: Runtime, { wake, lookForCancels, lookAtServices, pulse }: Listening): Ear {
  const client = new pg.Client({
    ...settings.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectMs,
    query_timeout: connectMs,
    application_name: 'sidelinja-jobs listen',
  })
  const ear: Ear = { client, echoChannel: `job_queue_echo_${session.id.replaceAll('-', '')}`, echoes: 0, end: undefined }
  const over = (error?: unknown) => {
    ear.end ??= { error }
    pulse.wake()
  }
  client.on('error', over)
  client.on('end', () => over())
  client.on('notification', (message) => {
    if (message.channel === channel) return wake()
    if (message.channel === cancelChannel) return lookForCancels()
    if (message.channel === serviceChannel) return lookAtServices()
    ear.echoes++
    pulse.wake()
  })
  return ear
}

/**
 * Sends itself a notification through another connection and waits for it. Where that is not known to have been sent, the connection is
 * at least asked whether it is alive.
 * @throws when it is not.
 */
async function sendEcho({ queue }: Runtime, ear: Ear, { pulse, timing, signal }: Listening): Promise<'heard' | 'lost' | 'unknown'> {
  const before = ear.echoes
  let sent: boolean | undefined
  notify(queue, ear.echoChannel).then(
    () => {
      sent = true
    },
    () => {
      sent = false
    },
  )
  for (let waited = 0; waited < pieces && sent !== false; ) {
    const known = sent
    if (!(await pulse.sleep(timing.echoMs / pieces))) waited++
    if (ear.echoes > before) return 'heard'
    if (ear.end || signal.aborted) return 'lost'
    // From when it was sent it has its whole time.
    if (known !== sent) waited = 0
  }
  if (sent) return 'lost'
  await ear.client.query({ text: 'select', query_timeout: timing.echoMs } as pg.QueryConfig)
  return 'unknown'
}

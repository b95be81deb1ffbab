import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { ConfigurationError, TimeoutError, TransientError } from '@sidelinja/jobs-core'
import { errorCode } from '../files/opening-failed.ts'

/** Of what a program says on stderr the first and the last so many bytes are kept: a damaged file makes it say megabytes. */
const keptBytes = 8 * 1024

/** One of the two programs: where it is, and the variable an operator sets for it. */
export interface Program {
  readonly name: 'ffmpeg' | 'ffprobe'
  readonly path: string
  readonly variable: 'FFMPEG_PATH' | 'FFPROBE_PATH'
  /** How a sentence about its absence begins: `generate_waveform needs`. */
  readonly needed?: string | undefined
}

export interface ProgramRun {
  args: readonly string[]
  /** Open files the program inherits, the first as descriptor 3. */
  descriptors?: readonly number[]
  signal: AbortSignal
  limitMs: number
  /** Gets stdout piece by piece; the program waits while it works. What it throws ends the program. */
  onOutput?: (chunk: Buffer) => void
}

export interface ProgramEnd {
  exitCode: number
  stderr: string
}

/**
 * Runs a program to its end. No shell; it reads nothing from us but the open files it inherits. It runs below normal priority, in a
 * process group of its own, so that a terminal's Ctrl-C ends us and not it, and it never outlives this call: an abort, the limit, or an
 * error in `onOutput` kills it, and its exit is awaited.
 */
export async function runProgram(program: Program, run: ProgramRun): Promise<ProgramEnd> {
  const { signal, limitMs, onOutput = () => {} } = run
  signal.throwIfAborted()
  const child = await start(program, run)
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const readErrors = keepEnds(child.stderr as Readable)
  const kill = () => killGroup(child)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tookTooLong(program, limitMs)), limitMs)
  const consumer = new AbortController()
  const stops = [signal, late.signal, consumer.signal]
  for (const stop of stops) stop.addEventListener('abort', kill, { once: true })
  // What is still in the pipe after a stop is nobody's.
  const take = (chunk: Buffer) => {
    if (!stops.some(({ aborted }) => aborted)) onOutput(chunk)
  }
  readOutput(child.stdout as Readable, take, consumer)
  try {
    if (signal.aborted) kill()
    const [exitCode, killedBy] = await closed
    for (const stop of stops) stop.throwIfAborted()
    if (exitCode === null) throw wasEnded(program.name, `by ${killedBy}`)
    return { exitCode, stderr: readErrors() }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

/** By events: an iterator makes so much garbage for each piece that the heap grows by a third. What the consumer throws becomes its reason. */
function readOutput(stream: Readable, onOutput: (chunk: Buffer) => void, consumer: AbortController): void {
  stream.on('data', (chunk: Buffer) => {
    try {
      onOutput(chunk)
    } catch (error) {
      consumer.abort(error)
    }
  })
  stream.on('error', () => {})
}

async function start(program: Program, { args, descriptors = [] }: ProgramRun): Promise<ChildProcess> {
  const { name, path } = program
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe', ...descriptors], detached: true })
  try {
    await once(child, 'spawn')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'EACCES') throw programMissing(program, code)
    throw new TransientError('FFMPEG_FAILED', `${name} could not be started (${code}).`)
  }
  try {
    // What somebody listens to on this machine goes first.
    setPriority(child.pid as number, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
  return child
}

export function programMissing(
  { name, path, variable, needed = 'A handler of this build needs' }: Program,
  why: string,
): ConfigurationError {
  return new ConfigurationError(
    'FFMPEG_MISSING',
    `${needed} ${name}, and ${JSON.stringify(path)} cannot be run (${why}). Install ffmpeg (Debian: apt-get install ffmpeg), or set ${variable} to where ${name} is.`,
  )
}

function tookTooLong({ name }: Program, limitMs: number): TimeoutError {
  return new TimeoutError('FFMPEG_TIMEOUT', `${name} was not done after ${Math.round(limitMs / 1000)} s and has been ended.`)
}

export function wasEnded(name: string, how: string): TransientError {
  return new TransientError(
    'FFMPEG_FAILED',
    `${name} was ended ${how}, not by this worker. SIGKILL: the machine may have run out of memory. SIGTERM: a service manager that stops all processes of a service at once (systemd: set KillMode=mixed).`,
  )
}

/** It and whatever it has started. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Reads a stream to its end, whatever its length, and remembers its beginning and its end. */
function keepEnds(stream: Readable): () => string {
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    const room = keptBytes - head.length
    head = Buffer.concat([head, chunk.subarray(0, room)])
    if (chunk.length > room) tail = Buffer.concat([tail, chunk.subarray(Math.max(0, room))]).subarray(-keptBytes)
  })
  stream.on('error', () => {})
  return () => `${head}${tail.length === keptBytes ? '\n' : ''}${tail}`
}

import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median, round } from './numbers.ts'

/** How busy the machine was just before a cell was measured; it is written beside the figures. */
export interface Noise {
  /** Share of processor time in which nothing ran, over half a second. */
  idle: number
  /** Median time of writing 8 KiB so that it lasts, in milliseconds. */
  fsyncMs: number
}

/** Enough of the machine is free for a measurement. */
const quietIdle = 0.9
const quietFsyncMs = 1
const sampleMs = 500
/** Where nobody waits for quiet. */
const glanceMs = 20

/** Waits for a quiet machine, at most so long; what it found at last is returned, quiet or not. */
export async function waitForQuiet(patienceMs: number): Promise<Noise> {
  const until = performance.now() + patienceMs
  for (;;) {
    const noise = await listen(patienceMs > 0 ? sampleMs : glanceMs)
    if ((noise.idle >= quietIdle && noise.fsyncMs <= quietFsyncMs) || performance.now() > until) return noise
  }
}

async function listen(ms: number): Promise<Noise> {
  const before = processorTimes()
  await pause(ms)
  const after = processorTimes()
  return { idle: round((after.idle - before.idle) / Math.max(1, after.all - before.all)), fsyncMs: round(fsyncTime()) }
}

/** The kernel's counts of the time of all processors. */
function processorTimes(): { idle: number; all: number } {
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).map(Number) ?? []
  return { idle: (times[3] ?? 0) + (times[4] ?? 0), all: times.slice(0, 8).reduce((sum, time) => sum + time, 0) }
}

function fsyncTime(): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const file = openSync(join(folder, 'probe'), 'w')
  try {
    const block = Buffer.alloc(8_192, 1)
    const times = Array.from({ length: 11 }, () => {
      const startedAt = performance.now()
      writeSync(file, block, 0, block.length, 0)
      fdatasyncSync(file)
      return performance.now() - startedAt
    })
    return median(times)
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}

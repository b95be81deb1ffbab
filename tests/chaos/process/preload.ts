import { openProcessLog } from '../history/process-log.ts'
import { shiftClock } from './clock.ts'
import { killAtStatement, noteLateWrites } from './kill-at.ts'
import type { ProcessOptions } from './options.ts'

// Loaded before everything else (--import), in the process and in every thread of it: the heartbeat has one of its own. A thread does
// not see the process' arguments, so they come with this file's address.

const options = JSON.parse(new URL(import.meta.url).searchParams.get('options') ?? '{}') as ProcessOptions
const note = openProcessLog(options.log)
shiftClock(options.clockShiftMs ?? 0)
noteLateWrites(note)
killAtStatement(options.kill, note)

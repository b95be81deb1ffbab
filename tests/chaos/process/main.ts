import { openProcessLog } from '../history/process-log.ts'
import { cancelOne, enqueueSome, migrateDatabase, retryOne } from './errands.ts'
import { killInHandler } from './kill-at.ts'
import { readOptions } from './options.ts'
import { runWorker } from './run-worker.ts'

// One process of the chaos program: a worker, or what an application does once. It ends with the program that started it.
process.stdin.resume().on('close', () => process.exit(3))

const options = readOptions()
const note = openProcessLog(options.log)
const at = killInHandler(options.kill, note)

switch (options.role) {
  case 'worker':
    await runWorker(options, note, at)
    break
  case 'enqueue':
    await enqueueSome(options, note)
    break
  case 'cancel':
    await cancelOne(options, note)
    break
  case 'retry':
    await retryOne(options, note)
    break
  case 'migrate':
    await migrateDatabase(options)
}
if (options.role !== 'worker') process.exit(0)

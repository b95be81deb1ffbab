// Runs the program named first and stops it when the launcher is gone, however that ended: its end of the channel closes then.
import { pathToFileURL } from 'node:url'

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1]).href)

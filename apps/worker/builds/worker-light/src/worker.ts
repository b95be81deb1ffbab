import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker-light', handlers: [srtParse, statsParse] })

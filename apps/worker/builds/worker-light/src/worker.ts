import aiTextProcess from '@sidelinja/handler-ai-text-process'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import urlIngest from '@sidelinja/handler-url-ingest'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker-light', handlers: [aiTextProcess, researchClip, srtParse, statsParse, urlIngest] })

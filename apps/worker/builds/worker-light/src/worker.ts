import aiTextProcess from '@sidelinja/handler-ai-text-process'
import generateEmbeddings from '@sidelinja/handler-generate-embeddings'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import suggestEdges from '@sidelinja/handler-suggest-edges'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker-light', handlers: [aiTextProcess, generateEmbeddings, researchClip, srtParse, statsParse, suggestEdges] })

import aiTextProcess from '@sidelinja/handler-ai-text-process'
import dictationCleanup from '@sidelinja/handler-dictation-cleanup'
import generateEmbeddings from '@sidelinja/handler-generate-embeddings'
import meetingSummarize from '@sidelinja/handler-meeting-summarize'
import promptEval from '@sidelinja/handler-prompt-eval'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import suggestEdges from '@sidelinja/handler-suggest-edges'
import summarizeCommunication from '@sidelinja/handler-summarize-communication'
import urlIngest from '@sidelinja/handler-url-ingest'
import valgomatGenerateProfile from '@sidelinja/handler-valgomat-generate-profile'
import valgomatModeration from '@sidelinja/handler-valgomat-moderation'
import { runWorker } from '@sidelinja/worker'

await runWorker({
  name: 'worker-light',
  handlers: [
    aiTextProcess,
    dictationCleanup,
    generateEmbeddings,
    meetingSummarize,
    promptEval,
    researchClip,
    srtParse,
    statsParse,
    suggestEdges,
    summarizeCommunication,
    urlIngest,
    valgomatGenerateProfile,
    valgomatModeration,
  ],
})

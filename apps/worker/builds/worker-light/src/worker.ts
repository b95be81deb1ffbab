import aiTextProcess from '@sidelinja/handler-ai-text-process'
import dictationCleanup from '@sidelinja/handler-dictation-cleanup'
import meetingSummarize from '@sidelinja/handler-meeting-summarize'
import promptEval from '@sidelinja/handler-prompt-eval'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import summarizeCommunication from '@sidelinja/handler-summarize-communication'
import urlIngest from '@sidelinja/handler-url-ingest'
import valgomatGenerateProfile from '@sidelinja/handler-valgomat-generate-profile'
import { runWorker } from '@sidelinja/worker'

await runWorker({
  name: 'worker-light',
  handlers: [
    aiTextProcess,
    dictationCleanup,
    meetingSummarize,
    promptEval,
    researchClip,
    srtParse,
    statsParse,
    summarizeCommunication,
    urlIngest,
    valgomatGenerateProfile,
  ],
})

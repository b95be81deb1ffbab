import aiTextProcess from '@sidelinja/handler-ai-text-process'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import urlIngest from '@sidelinja/handler-url-ingest'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

await runWorker({
  name: 'worker',
  handlers: [aiTextProcess, generateWaveform, openrouterAnalyze, researchClip, srtParse, statsParse, urlIngest, whisperTranscribe],
})

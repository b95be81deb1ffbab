import aiTextProcess from '@sidelinja/handler-ai-text-process'
import generateEmbeddings from '@sidelinja/handler-generate-embeddings'
import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import researchClip from '@sidelinja/handler-research-clip'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import suggestEdges from '@sidelinja/handler-suggest-edges'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

await runWorker({
  name: 'worker',
  handlers: [aiTextProcess, generateEmbeddings, generateWaveform, openrouterAnalyze, researchClip, srtParse, statsParse, suggestEdges, whisperTranscribe],
})

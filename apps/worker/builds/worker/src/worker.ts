import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker', handlers: [generateWaveform, openrouterAnalyze, srtParse, statsParse, whisperTranscribe] })

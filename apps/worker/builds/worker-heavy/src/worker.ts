import generateWaveform from '@sidelinja/handler-generate-waveform'
import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker-heavy', handlers: [generateWaveform, openrouterAnalyze, whisperTranscribe] })

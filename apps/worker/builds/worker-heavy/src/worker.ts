import generateWaveform from '@sidelinja/handler-generate-waveform'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

// openrouter_analyze joins when its package exists.
await runWorker({ name: 'worker-heavy', handlers: [generateWaveform, whisperTranscribe] })

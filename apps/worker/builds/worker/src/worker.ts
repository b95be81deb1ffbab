import generateWaveform from '@sidelinja/handler-generate-waveform'
import srtParse from '@sidelinja/handler-srt-parse'
import statsParse from '@sidelinja/handler-stats-parse'
import whisperTranscribe from '@sidelinja/handler-whisper-transcribe'
import { runWorker } from '@sidelinja/worker'

await runWorker({ name: 'worker', handlers: [generateWaveform, srtParse, statsParse, whisperTranscribe] })

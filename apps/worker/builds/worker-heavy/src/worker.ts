import { runWorker } from '@sidelinja/worker'

// whisper_transcribe, openrouter_analyze and generate_waveform join when their packages exist.
await runWorker({ name: 'worker-heavy', handlers: [] })

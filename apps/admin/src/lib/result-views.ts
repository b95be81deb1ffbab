import { aiTextProcessView } from '@sidelinja/handler-ai-text-process/view'
import { generateEmbeddingsView } from '@sidelinja/handler-generate-embeddings/view'
import { generateWaveformView } from '@sidelinja/handler-generate-waveform/view'
import { meetingSummarizeView } from '@sidelinja/handler-meeting-summarize/view'
import { openrouterAnalyzeView } from '@sidelinja/handler-openrouter-analyze/view'
import { promptEvalView } from '@sidelinja/handler-prompt-eval/view'
import { researchClipView } from '@sidelinja/handler-research-clip/view'
import { srtParseView } from '@sidelinja/handler-srt-parse/view'
import { statsParseView } from '@sidelinja/handler-stats-parse/view'
import { suggestEdgesView } from '@sidelinja/handler-suggest-edges/view'
import { urlIngestView } from '@sidelinja/handler-url-ingest/view'
import { valgomatGenerateProfileView } from '@sidelinja/handler-valgomat-generate-profile/view'
import { valgomatModerationView } from '@sidelinja/handler-valgomat-moderation/view'
import { whisperTranscribeView } from '@sidelinja/handler-whisper-transcribe/view'

/** How results are drawn in a job's detail; job types without a view are shown as data. */
export const resultViews = [
  aiTextProcessView,
  generateEmbeddingsView,
  generateWaveformView,
  meetingSummarizeView,
  openrouterAnalyzeView,
  promptEvalView,
  researchClipView,
  srtParseView,
  statsParseView,
  suggestEdgesView,
  urlIngestView,
  valgomatGenerateProfileView,
  valgomatModerationView,
  whisperTranscribeView,
]

export { languageOfSegments } from './ai-text/language/language-of-segments.ts'
export { languageRule } from './ai-text/language/language-rule.ts'
export { type NorwegianForm, norwegianForm } from './ai-text/language/norwegian-form.ts'
export type { ChatMessage } from './ai-text/messages/chat-message.ts'
export { type NumberedCandidates, numberCandidates } from './ai-text/messages/number-candidates.ts'
export { type Coverage, coverageOf } from './ai-text/parts/coverage.ts'
export { estimateTokens } from './ai-text/parts/estimate-tokens.ts'
export { planReduce } from './ai-text/parts/plan-reduce.ts'
export type { NumberedSegment, SegmentPart } from './ai-text/parts/segment-part.ts'
export { halvePart, type SplitOptions, splitSegments } from './ai-text/parts/split-segments.ts'
export { splitText, splitTextInHalves } from './ai-text/parts/split-text.ts'
export { createReplyCheck, type ReplyCheck } from './ai-text/reply/create-reply-check.ts'
export { isBlank } from './ai-text/reply/is-blank.ts'
export { legible } from './ai-text/reply/legible.ts'
export { addsFacts, type PointSource } from './ai-text/source/adds-facts.ts'
export { compareFacts, type FactChanges, type FactOptions } from './ai-text/source/compare-facts.ts'
export { compareLanguages, compareTexts, isUnlike, listChanges, type TextChange } from './ai-text/source/compare-texts.ts'
export { nameWords } from './ai-text/source/find-names.ts'
export { keepOnlyLinksOf } from './ai-text/source/keep-only-links-of.ts'
export { findQuote, isQuote, quoteOccurs, quoteStandsAt } from './ai-text/source/quotes.ts'
export { saidNames } from './ai-text/source/said-names.ts'
export type { AudioInfo } from './audio/audio-info.ts'
export {
  type AudioMeasurement,
  type AudioTools,
  type AudioToolsOptions,
  createAudioTools,
  type MeasureOptions,
} from './audio/audio-tools.ts'
export type { AudioPiece, CutOptions } from './audio/cut.ts'
export type { DecodedAudio, DecodeOptions } from './audio/decode.ts'
export type { Span } from './audio/loudness.ts'
export { type BreakerVerdict, breakerVerdict } from './breaker/breaker-verdict.ts'
export { type Breaker, type BreakerOptions, createBreaker } from './breaker/create-breaker.ts'
export { ServiceDownError } from './breaker/service-down-error.ts'
export type { Collections } from './collections/create-collections.ts'
export type { Chunk } from './embeddings/chunk.ts'
export { chunkNode, type HashedChunk, type NodeText } from './embeddings/chunk-node.ts'
export { createEmbeddingClient, type EmbeddingClient } from './embeddings/create-embedding-client.ts'
export type { Embeddings } from './embeddings/create-embeddings.ts'
export { cosine } from './embeddings/vector.ts'
export { createFileRoot, type FileRoot, type FileRootOptions, type RootedFile } from './files/file-root.ts'
export { chooseFollowUps, enqueueFollowUps, type FollowUpPayload } from './follow-ups/follow-ups.ts'
export { askAndMerge, type PartsAndMerge } from './gateway/ask-and-merge.ts'
export { askInParts, type InParts } from './gateway/ask-in-parts.ts'
export { type Cut, collectCuts } from './gateway/cut-lists.ts'
export { needsSplit } from './gateway/explain-refusal.ts'
export type {
  AskContext,
  Completion,
  EmbeddingFormat,
  EmbeddingRequest,
  Gateway,
  GatewayConfig,
  ModelRole,
  Prompt,
  Question,
} from './gateway/gateway.ts'
export type { CallFacts } from './gateway/usage.ts'
export { createGovernor, type Decision, type Governor, type GovernorOptions } from './governor/create-governor.ts'
export type { GentleActions, Work } from './governor/gentle-actions.ts'
export type { GovernorBounds } from './governor/weigh.ts'
export { createHttpClient, type HttpClientOptions } from './http/create-http-client.ts'
export type { HttpClient, HttpRequest, HttpResponse } from './http/http-client.ts'
export { isUpstreamError, UpstreamError, type UpstreamErrorDetails } from './http/upstream-error.ts'
export type { JsonObject } from './json-object.ts'
export { createForgejoRepository, type ForgejoOptions } from './repository/create-forgejo-repository.ts'
export type { PutOutcome, Repository, RepositoryFile } from './repository/repository.ts'
export { createRooms, type RoomsOptions } from './rooms/create-rooms.ts'
export type { RoomStatus, Rooms, RoomsFailure, RoomsObservation } from './rooms/room-status.ts'
export type { Resolve, ResolvedAddress } from './safe-fetch/checked-agent.ts'
export { createSafeFetch, type SafeFetchOptions } from './safe-fetch/create-safe-fetch.ts'
export { isPublicAddress } from './safe-fetch/public-address.ts'
export type { AnswerHead, FetchedAnswer, FetchRequest, SafeFetch } from './safe-fetch/safe-fetch.ts'
export {
  checkServices,
  createHandlers,
  createServices,
  type HandlerPackage,
  type Services,
  type ServicesConfig,
  type Statistics,
} from './services.ts'
export { type CollectionSettings, type CollectionSettingsInput, collectionSettings } from './settings/collection-settings.ts'
export { parseCollectionSettings } from './settings/parse-collection-settings.ts'
export { createSpacetimeSink, type SpacetimeOptions } from './status/create-spacetime-sink.ts'
export {
  createStatusPublisher,
  type StatusLimits,
  type StatusPublisher,
  type StatusPublisherOptions,
} from './status/create-status-publisher.ts'
export type { StatusReport } from './status/status-report.ts'
export type { JobStatusUpdate, StatusSink } from './status/status-sink.ts'
export { countSuspects } from './subtitles/count-suspects.ts'
export type { TextEncoding } from './subtitles/decode-text.ts'
export { MAX_SUBTITLE_BYTES, type ParsedSubtitles, parseSubtitles } from './subtitles/parse-subtitles.ts'
export type { SubtitleNote } from './subtitles/read-cues.ts'
export { renderSubtitles, SUBTITLE_FORMATS, type SubtitleFormat } from './subtitles/render-subtitles.ts'
export type { RoughSegment, Segment, Silence, SuspectReason } from './subtitles/segment.ts'
export { type TidyOptions, tidySegments } from './subtitles/tidy-segments.ts'
export type {
  PieceOptions,
  PieceTranscript,
  TranscriptFormat,
  Transcription,
  TranscriptionConfig,
  TranscriptionDialect,
} from './transcription/transcription.ts'
export type { Transcripts } from './transcripts/create-transcripts.ts'
export type { WebPagesOptions } from './web-pages/create-web-pages.ts'
export type { Obstacle, PageRequest, WebPage, WebPages } from './web-pages/web-page.ts'

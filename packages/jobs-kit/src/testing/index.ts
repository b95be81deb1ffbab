export { runCheck } from './bench.ts'
export { handlerChecks } from './checks/index.ts'
export type { Arranged, Bench, Check, ConformanceOptions } from './conformance.ts'
export { describeHandler } from './describe-handler.ts'
export { type Injection, injections } from './injections.ts'
export { type Dials, recordDials } from './record-dials.ts'
export type { RowText, Snapshot } from './snapshot.ts'
export type { ForgejoCommit, ForgejoRepository } from './stand-ins/forgejo/repositories.ts'
export {
  type ForgejoRequest,
  type ForgejoStandIn,
  type ForgejoStandInOptions,
  startForgejoStandIn,
} from './stand-ins/forgejo/start-forgejo-stand-in.ts'
export type { ChatMessage, ChatRequest, RequestedSchema } from './stand-ins/gateway/chat/chat-request.ts'
export { gatewayReply, type ReplyOptions } from './stand-ins/gateway/chat/completion.ts'
export type { JsonSchema } from './stand-ins/gateway/chat/json-schema.ts'
export type { GatewayDialect, GatewayRequest, GatewayStandInOptions } from './stand-ins/gateway/options.ts'
export { scriptedGatewayAnswer } from './stand-ins/gateway/scripted/scripted-answer.ts'
export { type GatewayStandIn, startGatewayStandIn } from './stand-ins/gateway/start-gateway-stand-in.ts'
export { embeddingsAnswer } from './stand-ins/gateway/vectors/answer-embeddings.ts'
export { type Embedder, hashedNgrams } from './stand-ins/gateway/vectors/hashed-ngrams.ts'
export type { LiveKitParticipant, LiveKitRoom } from './stand-ins/livekit/room.ts'
export {
  type LiveKitRequest,
  type LiveKitStandIn,
  type LiveKitStandInOptions,
  startLiveKitStandIn,
} from './stand-ins/livekit/start-livekit-stand-in.ts'
export type { Answer } from './stand-ins/server/answer.ts'
export type { Fault } from './stand-ins/server/faults.ts'
export type { ReceivedRequest } from './stand-ins/server/received.ts'
export type { StandIn, StandInOptions } from './stand-ins/server/stand-in.ts'
export { type SitePage, type SiteStandIn, type SiteStandInOptions, startSiteStandIn } from './stand-ins/site/start-site-stand-in.ts'
export type { SpacetimeJobStatus } from './stand-ins/spacetimedb/job-status-row.ts'
export {
  type SpacetimeRequest,
  type SpacetimeStandIn,
  type SpacetimeStandInOptions,
  startSpacetimeStandIn,
} from './stand-ins/spacetimedb/start-spacetimedb-stand-in.ts'
export type { AudioUpload, Recognition, Recognizer } from './stand-ins/transcription/recognizer.ts'
export { findPocketsphinx } from './stand-ins/transcription/recognizers/pocketsphinx.ts'
export { recordedRecognizer } from './stand-ins/transcription/recognizers/recorded.ts'
export {
  startTranscriptionStandIn,
  type TranscriptionDialect,
  type TranscriptionStandIn,
  type TranscriptionStandInOptions,
} from './stand-ins/transcription/start-transcription-stand-in.ts'
export type { TranscribedWord, VerboseSegment, VerboseTranscription } from './stand-ins/transcription/transcription.ts'
export type { TranscriptionRequest, UploadedFile, UploadedForm } from './stand-ins/transcription/upload.ts'

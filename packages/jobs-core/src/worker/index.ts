// For the program around a worker: what it says about errors, and about names it does not know.
export type { PoolerMode, PoolerSign } from '../database/pooling.ts'
export { isConnectionLoss, isRefusal, isTlsRefusal } from '../database/sql-state.ts'
export { surviveDisconnects } from '../database/survive-disconnects.ts'
export { describeError, type ErrorDescription } from '../errors/describe-error.ts'
export { maskSecrets } from '../errors/mask-secrets.ts'
export { closest } from '../text/closest.ts'
export { createWorker, type Worker } from './create-worker.ts'
export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerOptions,
  type HandlerReturn,
  type JobLog,
  type RunningJob,
  type WriteTransaction,
} from './define-handler.ts'
export type { OnWorkerEvent, PollingReason, WorkerEvent } from './events.ts'
export type { WorkerOptions } from './options.ts'

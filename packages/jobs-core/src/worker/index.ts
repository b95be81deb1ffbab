// For the program around a worker: what it says about errors, and about names it does not know.
export { isConnectionLoss, isRefusal, isTlsRefusal } from '../database/sql-state.ts'
export { describeError, type ErrorDescription } from '../errors/describe-error.ts'
export { maskSecrets } from '../errors/mask-secrets.ts'
export { closest } from '../text/closest.ts'
export { createWorker, type Worker } from './create-worker.ts'
export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerReturn,
  type JobLog,
  type RunningJob,
  type WriteTransaction,
} from './define-handler.ts'
export type { OnWorkerEvent, WorkerEvent } from './events.ts'
export type { WorkerOptions } from './options.ts'

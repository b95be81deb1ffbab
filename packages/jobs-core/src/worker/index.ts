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

export {
  defineHandler,
  type Handler,
  type HandlerContext,
  type HandlerReturn,
  type JobLog,
  type RunningJob,
  type WriteTransaction,
} from './define-handler.ts'

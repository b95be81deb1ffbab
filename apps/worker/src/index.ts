export type { WorkerBuild } from './build.ts'
export { runWorker } from './run-worker.ts'

import { bindWorkers } from './use-queue.ts'

// Imported before a file of tests, it runs them all as queue_worker.
bindWorkers()

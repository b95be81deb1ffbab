import '../support/as-queue-worker.ts'
import '../held-jobs.test.ts'

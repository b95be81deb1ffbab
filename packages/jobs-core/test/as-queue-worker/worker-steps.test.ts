import '../support/as-queue-worker.ts'
import '../worker-steps.test.ts'

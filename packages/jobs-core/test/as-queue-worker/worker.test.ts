import '../support/as-queue-worker.ts'
import '../worker.test.ts'

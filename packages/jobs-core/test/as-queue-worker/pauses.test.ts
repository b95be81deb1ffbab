import '../support/as-queue-worker.ts'
import '../pauses.test.ts'

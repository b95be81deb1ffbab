import '../support/as-queue-worker.ts'
import '../claim.test.ts'

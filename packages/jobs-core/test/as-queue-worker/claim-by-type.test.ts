import '../support/as-queue-worker.ts'
import '../claim-by-type.test.ts'

import '../support/as-queue-worker.ts'
import '../parked.test.ts'

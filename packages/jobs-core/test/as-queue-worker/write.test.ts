import '../support/as-queue-worker.ts'
import '../write.test.ts'

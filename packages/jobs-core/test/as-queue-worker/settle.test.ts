import '../support/as-queue-worker.ts'
import '../settle.test.ts'

import '../support/as-queue-worker.ts'
import '../lease.test.ts'

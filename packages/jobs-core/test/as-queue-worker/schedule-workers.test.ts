import '../support/as-queue-worker.ts'
import '../schedule/workers.test.ts'

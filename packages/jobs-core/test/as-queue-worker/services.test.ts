import '../support/as-queue-worker.ts'
import '../services.test.ts'

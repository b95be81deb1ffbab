import '../support/as-queue-worker.ts'
import '../worker-wake-up.test.ts'

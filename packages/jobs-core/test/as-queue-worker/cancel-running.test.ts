import '../support/as-queue-worker.ts'
import '../cancel-running.test.ts'

import '../support/as-queue-worker.ts'
import '../heartbeat.test.ts'

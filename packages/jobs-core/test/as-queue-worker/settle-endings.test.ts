import '../support/as-queue-worker.ts'
import '../settle-endings.test.ts'

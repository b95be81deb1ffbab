import '../support/as-queue-worker.ts'
import '../schedule/changes.test.ts'

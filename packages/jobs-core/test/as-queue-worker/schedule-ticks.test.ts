import '../support/as-queue-worker.ts'
import '../schedule/ticks.test.ts'

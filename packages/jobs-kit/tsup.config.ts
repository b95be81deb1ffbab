import { cp } from 'node:fs/promises'
import { preset } from '@sidelinja/build-preset'

export default preset({
  entry: {
    index: 'src/index.ts',
    storage: 'src/storage/index.ts',
    testing: 'src/testing/index.ts',
    view: 'src/view/index.ts',
    // Not a door: what read-in-thread.ts starts.
    'page-thread': 'src/web-pages/document/page-thread.ts',
  },
  external: ['vitest'],
  onSuccess: async () => {
    await cp('../../migrations/handlers', 'dist/migrations', { recursive: true })
    await cp('../../migrations/handler-roles', 'dist/migrations/roles', { recursive: true })
  },
})

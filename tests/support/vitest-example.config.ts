import { mergeConfig } from 'vitest/config'
import example from '../../examples/testing/vitest/vitest.config.ts'

// The example as it is, and the packages from their source: a reader has them built.
const conditions = ['@sidelinja/source', 'module', 'node', 'development|production']
const resolve = { conditions, externalConditions: conditions }

export default mergeConfig(example, { resolve: { conditions }, ssr: { resolve }, environments: { __vitest__: { resolve } } })

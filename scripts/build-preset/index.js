import { defineConfig } from 'tsup'

/**
 * ESM with types and source maps, dependencies left outside the bundle. The metafile is what the tests read to prove which
 * packages an output contains.
 */
export const preset = (overrides = {}) =>
  defineConfig({
    format: ['esm'],
    dts: true,
    clean: true,
    sourcemap: true,
    metafile: true,
    target: 'node22',
    platform: 'node',
    ...overrides,
  })

import type { Options } from 'tsup'

/** The workspace's build: ESM, types, source maps, dependencies external. `overrides` are merged on top, shallowly. */
export declare const preset: (overrides?: Options) => Options | Options[]

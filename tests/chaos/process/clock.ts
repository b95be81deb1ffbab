// Loaded before everything else (--import): moves this process' Date by `clockShiftMs` of its options.
import { readOptions } from './options.ts'

const { clockShiftMs = 0 } = readOptions()
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + clockShiftMs] : given) as [number]))
  }
  static override now() {
    return RealDate.now() + clockShiftMs
  }
} as DateConstructor

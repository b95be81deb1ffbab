import vm from 'node:vm'
import { jsonrepair } from 'jsonrepair'

/**
 * A reply worth mending takes a millisecond. Some texts, which somebody may bring a model to write, would take jsonrepair hours: 10,000 characters of quotes
 * at ends of lines 20 s, and eight times that for each doubling.
 */
const MOST_MS = 250

/** Text that is nearly JSON as the value it was meant to be; undefined when that cannot be told, or takes too long. */
export function repairJson(text: string): unknown {
  try {
    return JSON.parse(vm.runInNewContext('repair(text)', { repair: jsonrepair, text }, { timeout: MOST_MS }))
  } catch {
    return undefined
  }
}

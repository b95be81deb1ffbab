import type { ContenderName } from '../contenders.ts'
import type { Measurement, Setting } from '../measurement.ts'
import { type Arena, openArena } from './arena.ts'
import { type Cell, keepCell, readCells } from './cells.ts'
import { describeMachine } from './machine.ts'
import { waitForQuiet } from './quiet.ts'

export interface RunOptions {
  /** Only cells whose name has this in it: `<setting>, <contender>, round <n>`. */
  only?: string | undefined
  rounds?: number | undefined
  /** 1: as it is meant. */
  size: number
  /** Each contender and each setting at least once, and no more: to see that they run. */
  sparse?: boolean
  /** How long a busy machine is waited for, before each cell. */
  patienceMs: number
  /** Where results are, and go. */
  folder?: string | undefined
}

interface Due {
  setting: Setting
  contender: ContenderName
  round: number
}

/** Measures what has not been measured yet; each result is kept at once, so that a run that was cut short goes on where it was. */
export async function runCells(measurement: Measurement, options: RunOptions): Promise<void> {
  const known = new Set(readCells(measurement.name, options.folder).map(keyOf))
  const cells = options.sparse ? sparse(inTurns(measurement, options)) : inTurns(measurement, options)
  const due = cells.filter(
    (cell) => !known.has(keyOf({ ...cell, setting: cell.setting.name })) && (!options.only || nameOf(cell).includes(options.only)),
  )
  if (due.length === 0) return
  const arena = await openArena()
  try {
    for (const cell of due) await measure(arena, measurement, cell, options)
  } finally {
    await arena.stop()
  }
}

/** A B C, then B C A: what is warm or worn is so for each in turn. */
function inTurns(measurement: Measurement, { rounds = measurement.rounds, size }: RunOptions): Due[] {
  const settings = measurement.settings(size)
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    settings.flatMap((setting) => {
      const shift = (round - 1) % setting.contenders.length
      const contenders = [...setting.contenders.slice(shift), ...setting.contenders.slice(0, shift)]
      return contenders.map((contender) => ({ setting, contender, round }))
    }),
  )
}

/** Drops cells whose setting and queue both come up elsewhere. */
function sparse(cells: readonly Due[]): Due[] {
  const kept: Due[] = []
  const seen = new Set<string>()
  for (const cell of cells) {
    const [queue = ''] = cell.contender.split(' ')
    if (seen.has(cell.setting.name) && seen.has(queue)) continue
    seen.add(cell.setting.name).add(queue)
    kept.push(cell)
  }
  return kept
}

async function measure(arena: Arena, measurement: Measurement, { setting, contender, round }: Due, options: RunOptions): Promise<void> {
  const noise = await waitForQuiet(options.patienceMs)
  const outcome = await arena.within(contender, (stage) => setting.run(stage))
  const cell: Cell = {
    ...{ measurement: measurement.name, setting: setting.name, contender, round, ...outcome, noise },
    ...{ at: new Date().toISOString(), versions: `${arena.version}, Node ${process.versions.node}`, machine: describeMachine() },
  }
  keepCell(cell, options.folder)
  const figures = measurement.columns.map(({ figure, title }) => `${title} ${outcome.figures[figure] ?? '–'}`).join(', ')
  console.log(`${measurement.name}: ${nameOf({ setting, contender, round })}: ${figures} (idle ${noise.idle}, fsync ${noise.fsyncMs} ms)`)
}

const nameOf = ({ setting, contender, round }: Due) => `${setting.name}, ${contender}, round ${round}`
const keyOf = ({ setting, contender, round }: { setting: string; contender: string; round: number }) => `${setting}|${contender}|${round}`

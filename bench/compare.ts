import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCells } from './queues/harness/run-cells.ts'
import { measurements } from './queues/measurements.ts'
import { writeReport } from './queues/report/write-report.ts'

/** Measures this queue beside others, on one server, in turns. See README.md. */
const usage = `Usage: npm run bench -- <measurement> … [--only <text>] [--rounds <n>] [--short]
       npm run bench -- report

Measurements: ${measurements.map(({ name }) => name).join(', ')}; all

  --only <text>   only cells whose name has this in it: "<setting>, <contender>, round <n>"
  --rounds <n>    how often each cell is measured; default: as the measurement says
  --short         every setting and every queue once, at its smallest, to see that they run; keeps nothing
  --now           do not wait for a quiet machine`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    short: { type: 'boolean', default: false },
    now: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const chosen = positionals.includes('all') ? measurements : measurements.filter(({ name }) => positionals.includes(name))
const unknown = positionals.filter(
  (name) => name !== 'all' && name !== 'report' && !measurements.some((measurement) => measurement.name === name),
)
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)

if (values.help || positionals.length === 0) console.log(usage)
else if (unknown.length > 0) refuse(`There is no measurement ${unknown.join(', ')}.`)
else if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) refuse(`--rounds must be 1 or more, got ${values.rounds}.`)
else if (!existsSync(join(import.meta.dirname, 'rivals/node_modules')))
  refuse('The other queues are not installed: npm run bench:rivals:install.')
else if (!existsSync(join(import.meta.dirname, '../packages/jobs-core/dist'))) refuse('The packages are not built: npm run build.')
else if (values.short) await runShort()
else await runWhole()

async function runWhole(): Promise<void> {
  for (const measurement of chosen) {
    await runCells(measurement, { only: values.only, rounds, size: 1, patienceMs: values.now ? 0 : 60_000 })
  }
  console.log(`written: ${writeReport()}`)
}

async function runShort(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    for (const measurement of chosen)
      await runCells(measurement, { only: values.only, rounds: 1, size: 0.002, sparse: true, patienceMs: 0, folder })
    writeReport(folder, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function refuse(reason: string): void {
  console.error(`${reason}\n\n${usage}`)
  process.exitCode = 2
}

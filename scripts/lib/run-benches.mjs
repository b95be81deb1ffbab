// Each measurement of bench/ once, as small as it goes; the last line says how many ran.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../bench')
/** By file: how small it goes. */
const smallest = {
  'admin.ts': ['3000', '2', '1'],
  'ask-gateway.ts': ['5'],
  'compare.ts': ['all', '--short'],
  'embeddings.ts': ['200', '384'],
  'generate-waveform.ts': ['0.02', '44.1'],
  'question-pairs.ts': [],
  'stats-parse.ts': ['1'],
  'transcribe.ts': ['3'],
  'url-ingest.ts': ['0.1'],
}
const timeoutMs = 240_000

const failed = []
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
for (const file of files) {
  const args = smallest[file]
  const error = args ? await run(file, args) : 'it has no smallest form: add it to scripts/lib/run-benches.mjs'
  console.log(`${error ? 'failed' : 'ran   '}  bench/${file} ${(args ?? []).join(' ')}`)
  if (error) {
    console.error(error)
    failed.push(file)
  }
}
console.log(`${files.length - failed.length} measurements ran, ${failed.length} failed`)
process.exitCode = failed.length === 0 ? 0 : 1

/** What it wrote when it failed; undefined when it went. */
async function run(file, args) {
  const program = [`--conditions=@sidelinja/source`, join(folder, file), ...args]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'], signal: AbortSignal.timeout(timeoutMs) })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said = (said + text).slice(-10_000)))
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? undefined : said
  } catch (error) {
    return `${said}\n${error}`
  }
}

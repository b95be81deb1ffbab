import { join } from 'node:path'
import { readArguments, USAGE } from './arguments.ts'
import { describeNextSteps } from './next-steps.ts'
import { install, tidy } from './programs.ts'
import { Refusal } from './refusal.ts'
import { writePackage } from './write-package.ts'

const root = join(import.meta.dirname, '../..')

try {
  const wanted = readArguments(process.argv.slice(2), process.env)
  if (wanted === 'help') console.log(USAGE)
  else await makeHandler(wanted)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function makeHandler({ type, ai }: { type: string; ai: boolean }): Promise<void> {
  const made = writePackage(root, type, { ai })
  for (const file of made.files) console.log(`  ${file}`)
  await tidy(root, made.names.folder)
  console.log('Making the package known to the others (pnpm install) …')
  await install(root)
  console.log(describeNextSteps(made.names, { ai }))
}

import { type Program, programMissing, runProgram } from './run-program.ts'

const limitMs = 10_000

/** For start-up: the program is there, and is what it should be. */
export async function checkProgram(program: Program): Promise<void> {
  let text = ''
  const onOutput = (chunk: Buffer) => {
    text = (text + chunk).slice(0, 1_000)
  }
  await runProgram(program, { args: ['-version'], signal: new AbortController().signal, limitMs, onOutput })
  if (!text.startsWith(`${program.name} version`)) throw programMissing(program, `it is not ${program.name}`)
}

import type { Bench, Check } from '../conformance.ts'
import { commit, rollBack, runOnce } from '../run-once.ts'
import { compareSnapshots, describeChanges } from '../snapshot.ts'

/** All of a job's effects on the database are in `write`, on the transaction it is given: they come together or not at all. */
export const nothingOnFailureCheck: Check = {
  name: 'writes nothing unless the job completes',
  async run(bench: Bench) {
    const arranged = await bench.arrange()
    const before = await bench.snapshot()
    const violations: string[] = []
    const compare = async (words: string) => {
      const changes = compareSnapshots(before, await bench.snapshot())
      if (changes.length > 0) violations.push(`${words}: ${describeChanges(changes)}.`)
      return changes.length === 0
    }
    const run = await runOnce(bench.handler, arranged)
    if (!(await compare('It writes before its write is called'))) return violations
    await rollBack(bench.database, run)
    if (!(await compare('Its write leaves rows although the transaction failed, so it does not use (only) that transaction')))
      return violations
    const failure = await commit(bench.database, await runOnce(bench.handler, arranged))
    if (failure !== undefined) violations.push(`The attempt after a failed one does not complete: ${failure}.`)
    return violations
  },
}

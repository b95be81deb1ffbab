// Reads vitest's JSON report and prints how many tests passed and failed, alone on the last line. Fails when one failed, when one
// did not run, and when there was none: a green run of nothing proves nothing.
import { readFileSync } from 'node:fs'

const files = read(process.argv[2])
const tests = files.flatMap((file) => file.assertionResults)
const count = (status) => tests.filter((test) => test.status === status).length
// A file that cannot even be loaded has no tests to fail.
const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
const failed = count('failed') + broken.length
const passed = count('passed')
const notRun = tests.length - passed - count('failed')

if (notRun > 0) console.log(`not run: ${notRun} tests`)
if (tests.length === 0) console.log('no test ran')
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || notRun > 0 || passed === 0 ? 1 : 0

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}

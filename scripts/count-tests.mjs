// Reads vitest's JSON reports and prints how many tests passed and failed, alone on the last line. Fails when one failed, when one
// did not run, and when a report has none: a green run of nothing proves nothing.
import { readFileSync } from 'node:fs'

const reports = process.argv.slice(2).map(read)
const files = reports.flat()
const tests = files.flatMap((file) => file.assertionResults)
const count = (status) => tests.filter((test) => test.status === status).length
// A file that cannot even be loaded has no tests to fail.
const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
const failed = count('failed') + broken.length
const passed = count('passed')
const notRun = tests.length - passed - count('failed')
const empty = reports.length === 0 || reports.some((report) => report.every((file) => file.assertionResults.length === 0))

if (notRun > 0) console.log(`not run: ${notRun} tests`)
if (empty) console.log('no test ran')
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || notRun > 0 || empty ? 1 : 0

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}

// Reads vitest's JSON reports and prints which tests failed and how many tests passed and failed, alone on the last line. Fails when one failed, when one
// did not run, and when a report has none: a green run of nothing proves nothing.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

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

// Again, where the end of a long log is all that is seen.
for (const file of files)
  for (const test of file.assertionResults.filter(({ status }) => status === 'failed'))
    console.log(`failed: ${relative(process.cwd(), file.name)}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
for (const file of broken) console.log(`failed: ${relative(process.cwd(), file.name)}: ${firstLine(file.message)}`)
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

function firstLine(message = '') {
  return message.trim().split('\n', 1)[0].slice(0, 300)
}

// Builds the application for production, unless what is there was built from the same inputs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestInputs } from './src/make/digest-inputs.mjs'
import { takeLock } from './src/make/take-lock.mjs'

const folder = import.meta.dirname
/** Written last and removed first, so that it also tells a finished build from an interrupted one. */
const marker = join(folder, 'build/inputs')

const release = await takeLock(folder)
try {
  const digest = digestInputs(folder)
  if (builtFrom() !== digest) await build(digest)
} catch (error) {
  console.error(`The admin page could not be built: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  release()
}

function builtFrom() {
  try {
    return readFileSync(marker, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {string} digest */
async function build(digest) {
  console.log('Building the admin page (only when its source changed) …')
  const started = performance.now()
  rmSync(marker, { force: true })
  process.chdir(folder)
  // A test runner's NODE_ENV would make it a build for development.
  process.env.NODE_ENV = 'production'
  // In this process, so that what ends it ends the build as well. Not a plain import: where nothing is to be built it is not loaded.
  const vite = await import('vite')
  const builder = await vite.createBuilder({ root: folder, logLevel: 'error' }, null)
  await builder.buildApp()
  writeFileSync(marker, digest)
  console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

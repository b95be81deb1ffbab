import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { describeHandler } from '../../src/testing/index.ts'
import { notesOptions, writePackage } from './notes.ts'

const packageFolder = await writePackage()
afterAll(() => rm(packageFolder, { recursive: true }))

describeHandler(notesOptions(packageFolder))

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Figures } from './figures.ts'

/** What the full form has done so far, so that it can go on after it was ended. */
export interface Results {
  done(fault: string): Figures | undefined
  add(figures: Figures): Promise<void>
}

interface Stored {
  sources: string
  figures: Figures[]
}

/** Figures of other sources than today's do not count; with `fresh` none do. */
export async function openResults(file: string, sources: string, fresh: boolean): Promise<Results> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const stored = JSON.parse(text) as Partial<Stored>
  const figures = stored.sources === sources && !fresh ? (stored.figures ?? []) : []
  return {
    done: (fault) => figures.find((one) => one.fault === fault && one.violations.length === 0),
    async add(one) {
      const others = figures.filter(({ fault }) => fault !== one.fault)
      figures.splice(0, figures.length, ...others, one)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, JSON.stringify({ sources, figures } satisfies Stored, undefined, 2))
    },
  }
}

/** One number for all the files of these folders. */
export async function fingerprint(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.toSorted()) hash.update(file).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

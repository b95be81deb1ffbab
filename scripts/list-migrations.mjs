// Part of `npm run schema:update`: notes the checksums of new migrations, and refuses where an old one is not what it was.
import { join } from 'node:path'
import { compareMigrations, listNewMigrations } from './lib/migration-checksums.mjs'

const root = join(import.meta.dirname, '..')
const { changed, gone } = compareMigrations(root)
for (const file of changed) console.error(`${file} is not what it was when it was added.`)
for (const file of gone) console.error(`${file} is gone.`)
if (changed.length + gone.length > 0) {
  console.error(
    'Databases know every migration by its checksum, so migrations are only added: restore the file, and say in a new one what is to be different. Only a file that has never been on main may change: delete its line of migrations/checksums.txt and run this again.',
  )
  process.exitCode = 1
} else {
  for (const file of listNewMigrations(root)) console.log(`Added ${file} to migrations/checksums.txt.`)
}

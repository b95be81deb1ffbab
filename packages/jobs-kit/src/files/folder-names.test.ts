import { expect, test } from 'vitest'
import { folderNames } from './folder-names.ts'

const below = { name: 'LOG_ROOT', path: 'logs' }

/** Entries of which every second is a file; `read` counts those that were asked for. */
function folder(size: number) {
  const counted = { read: 0, closed: false, entries: entries() }
  async function* entries() {
    try {
      for (let n = 0; n < size; n++) {
        counted.read++
        yield { name: `${n}.log`, isFile: () => n % 2 === 0 }
      }
    } finally {
      counted.closed = true
    }
  }
  return counted
}

test('a folder with 10,000 entries is read', async () => {
  expect(await folderNames(folder(10_000).entries, below)).toHaveLength(5_000)
})

test('one with more is refused before it is read whole, and closed, whatever the entries are', async () => {
  const endless = folder(Number.POSITIVE_INFINITY)
  await expect(folderNames(endless.entries, below)).rejects.toMatchObject({
    kind: 'permanent',
    code: 'FOLDER_TOO_LARGE',
    message: expect.stringContaining('"logs" below LOG_ROOT holds more than 10000 entries'),
  })
  expect(endless).toMatchObject({ read: 10_001, closed: true })
})

import { describe, expect, test } from 'vitest'
import { explainFailure, outputOf } from './explain-failure.ts'

describe('explainFailure', () => {
  test.each([
    ['initdb: error: could not write to file "x/PG_VERSION": No space left on device', 'DISK_FULL', '/srv/data is full'],
    ["ENOSPC: no space left on device, mkdir '/srv/data'", 'DISK_FULL', 'free some space'],
    [
      '/x/bin/postgres: error while loading shared libraries: libicui18n.so.60: cannot open shared object file: No such file or directory',
      'EMBEDDED_POSTGRES_BROKEN',
      'libicui18n.so.60',
    ],
    ['FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postmaster', 'DATA_FOLDER_IN_USE', '/srv/data'],
    ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', 'PORT_TAKEN', 'Port 5433'],
    ["EACCES: permission denied, mkdir '/srv/data'", 'DATA_FOLDER_UNUSABLE', '/srv/data cannot be used'],
    ["EROFS: read-only file system, mkdir '/srv/data'", 'DATA_FOLDER_UNUSABLE', 'read-only'],
    ["ENOENT: no such file or directory, mkdir '/proc/nope'", 'DATA_FOLDER_UNUSABLE', '/srv/data cannot be used'],
    ['FATAL:  something new', 'EMBEDDED_POSTGRES_FAILED', 'FATAL:  something new'],
    ['', 'EMBEDDED_POSTGRES_FAILED', 'it said nothing'],
  ])('%j is %s', (output, code, words) => {
    const error = explainFailure(output, { dataFolder: '/srv/data', port: 5433 })
    expect(error).toMatchObject({ code, kind: 'configuration' })
    expect(error.message).toContain(words)
    expect(error.message.split('\n')).toHaveLength(1)
  })

  test('as nobody, a denied permission is about root', () => {
    expect(explainFailure('spawn /root/x EACCES', { asNobody: true })).toMatchObject({ code: 'EMBEDDED_POSTGRES_ROOT' })
  })

  test('what a child process said wins over the message about its exit', () => {
    expect(outputOf(Object.assign(new Error('Command failed'), { stderr: 'why' }))).toBe('why')
    expect(outputOf(new Error('EACCES'))).toBe('EACCES')
  })
})

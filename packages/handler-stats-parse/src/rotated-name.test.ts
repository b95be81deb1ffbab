import { expect, test } from 'vitest'
import { isRotatedName, packingOf } from './rotated-name.ts'

test.each([
  // Caddy until 2.10
  'access-2026-11-30T18-09-16.697.log',
  'access-2026-11-30T18-09-16.697.log.gz',
  // Caddy from 2.11
  'access-2026-11-30T18-09-16.697-size.log',
  'access-2026-11-30T18-09-16.697-time.log.gz',
  'access-2026-11-30T18-09-16.697-time.log.zst',
  'access-2026-11-30T18-09-16.697-reload-now-v2.log',
  'access.log-2026-11-30T18-09-16.697-size',
  'access.log-2026-11-30T18-09-16.697-size.gz',
  'access.log-2026-11-30T18-09-16.697-time.zst',
  // other formats of its time
  'access-20261130-180916.log',
  'access-20261130T180916Z-size.log.gz',
  'access-1796062156.log',
  'access-2026-11-30-18-09-16-time.log',
  // logrotate
  'access.log.1',
  'access.log.2.gz',
  'access.log.14.zst',
  'access.1.log',
  'access.2.log.gz',
  'access.log-20261130',
  'access.log-20261130.gz',
  'access.log-2026113018-1796062156',
  'access-20261130.log',
  'access.log.3.xz',
])('a part of access.log: %s', (name) => {
  expect(isRotatedName('access.log', name)).toBe(true)
})

test.each([
  'access.log',
  'access.log.gz',
  'access.log.bak',
  'access.log.tmp',
  'access.log.1.gz.tmp',
  '.access.log.1.gz.AbC123',
  'access.log.12345',
  'access.log~',
  'access-site2.log',
  'access-admin-2026-11-30T18-09-16.697.log',
  'access-1.log',
  'access-.log',
  'accessories-20261130.log',
  'my-access-20261130.log',
  'access-20261130.txt',
  'access-20261130',
  'error-2026-11-30T18-09-16.697.log',
  'error.log.1',
  'ACCESS.log.1',
])('not a part of access.log: %s', (name) => {
  expect(isRotatedName('access.log', name)).toBe(false)
})

test('a log without an extension, and one with a time in its own name', () => {
  expect(isRotatedName('access', 'access.1')).toBe(true)
  expect(isRotatedName('access', 'access-20261130.gz')).toBe(true)
  expect(isRotatedName('access-20261130.log', 'access-20261130.log')).toBe(false)
  expect(isRotatedName('access-20261130.log', 'access-20261130.log.1')).toBe(true)
  expect(isRotatedName('access-20261130.log', 'access-20261129.log')).toBe(false)
})

test.each([
  ['access.log', 'plain'],
  ['access.log.1', 'plain'],
  ['access.log.gz', 'gzip'],
  ['a/b.c/access-1.log.zst', 'zstd'],
  ['access.log.xz', 'unknown'],
])('%s is %s', (name, packing) => {
  expect(packingOf(name)).toBe(packing)
})

test('a very long name costs little', () => {
  const before = process.cpuUsage()
  isRotatedName('access.log', `access.log-${'1-'.repeat(100_000)}!`)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})

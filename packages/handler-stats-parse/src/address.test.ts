import { expect, test } from 'vitest'
import { cutAddress } from './address.ts'

test.each([
  ['203.0.113.10', '203.0.113.10'],
  ['203.0.113.10:51000', '203.0.113.10'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.10', '203.0.113.10'],
  ['::ffff:cb00:710a', '203.0.113.10'],
  ['0:0:0:0:0:ffff:203.0.113.10', '203.0.113.10'],
  ['1:2:3:4:5:6:203.0.113.10', '1:2:3:4::/64'],
  ['DEADBEEF', 'deadbeef'],
])('%s becomes %s', (raw, expected) => {
  expect(cutAddress(raw)).toBe(expected)
})

test.each(['', 'REDACTED', '203.0.113', '203.0.113.256', 'host.example.org', '12:34', '::1::2', '1234567'])('%j is no address', (raw) => {
  expect(cutAddress(raw)).toBeUndefined()
})

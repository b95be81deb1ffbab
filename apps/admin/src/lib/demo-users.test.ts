import { expect, test } from 'vitest'
import { parseDemoUsers } from './demo-users.ts'

const userId = '5a1de11a-0000-4000-8000-000000000003'

test('without the variable there are none', () => {
  expect(parseDemoUsers(undefined)).toEqual([])
  expect(parseDemoUsers('')).toEqual([])
})

test('users see jobs and act on them, unless it says otherwise', () => {
  const other = '5a1de11a-0000-4000-8000-000000000004'
  expect(
    parseDemoUsers(
      JSON.stringify([
        { name: 'Kari', userId },
        { name: 'Ola', userId: other, rights: ['view'] },
      ]),
    ),
  ).toEqual([
    { name: 'Kari', userId, rights: ['view', 'act'] },
    { name: 'Ola', userId: other, rights: ['view'] },
  ])
})

test.each([
  ['nobody', 'expected array'],
  ['[]', 'Too small'],
  ['{}', 'expected array'],
  [JSON.stringify([{ name: 'Kari' }]), '0: userId'],
  [JSON.stringify([{ name: 'Kari', userId, rights: ['root'] }]), '0: rights: 0'],
  [JSON.stringify([{ name: 'Kari', userId, admin: true }]), 'Unrecognized key: "admin"'],
  [
    JSON.stringify([
      { name: 'Kari', userId },
      { name: 'Ola', userId },
    ]),
    'two users have the same userId',
  ],
])('%s is refused', (value, message) => {
  expect(() => parseDemoUsers(value)).toThrow(message)
})

import { expect, test } from 'vitest'
import { checkRelativePath, quote } from './relative-path.ts'

const accepted = [
  'a',
  'episode 1.mp3',
  'show/2026/episode.mp3',
  'æøå/日本語 🎙.mp3',
  '...',
  '-rf',
  '..a/b..',
  'a:b',
  '%2e%2e/%2f',
  `${'x'.repeat(255)}/y`,
]

test.each(accepted)('accepts %j', (path) => {
  expect(() => checkRelativePath('MEDIA_ROOT', path)).not.toThrow()
})

const refused: [path: unknown, code: string][] = [
  ['', 'FILE_PATH_INVALID'],
  [undefined, 'FILE_PATH_INVALID'],
  [null, 'FILE_PATH_INVALID'],
  [42, 'FILE_PATH_INVALID'],
  [['a'], 'FILE_PATH_INVALID'],
  ['a\0b', 'FILE_PATH_INVALID'],
  ['show/episode.mp3\0.png', 'FILE_PATH_INVALID'],
  ['a\nb', 'FILE_PATH_INVALID'],
  ['a\u007fb', 'FILE_PATH_INVALID'],
  ['\ud800', 'FILE_PATH_INVALID'],
  ['.', 'FILE_PATH_INVALID'],
  ['./a', 'FILE_PATH_INVALID'],
  ['a/./b', 'FILE_PATH_INVALID'],
  ['a//b', 'FILE_PATH_INVALID'],
  ['a/', 'FILE_PATH_INVALID'],
  ['x'.repeat(256), 'FILE_PATH_INVALID'],
  ['å'.repeat(128), 'FILE_PATH_INVALID'],
  ['x/'.repeat(2500), 'FILE_PATH_INVALID'],
  ['/etc/passwd', 'FILE_PATH_ABSOLUTE'],
  ['//server/share', 'FILE_PATH_ABSOLUTE'],
  ['C:/windows', 'FILE_PATH_ABSOLUTE'],
  ['..', 'FILE_PATH_TRAVERSAL'],
  ['../a', 'FILE_PATH_TRAVERSAL'],
  ['a/../../b', 'FILE_PATH_TRAVERSAL'],
  ['a/..', 'FILE_PATH_TRAVERSAL'],
  ['..\\a', 'FILE_PATH_BACKSLASH'],
  ['a\\..\\b', 'FILE_PATH_BACKSLASH'],
  ['\\\\server\\share', 'FILE_PATH_BACKSLASH'],
]

test.each(refused)('refuses %j with %s', (path, code) => {
  expect(() => checkRelativePath('MEDIA_ROOT', path as string)).toThrow(
    expect.objectContaining({ code, kind: 'permanent', message: expect.stringContaining('MEDIA_ROOT') }),
  )
})

test('a message shows the path on one line and cuts a long one', () => {
  expect(quote('a\nb\0')).toBe('"a\\nb\\u0000"')
  expect(quote('x'.repeat(5000)).length).toBeLessThan(210)
  expect(quote(undefined)).toBe('"undefined"')
})

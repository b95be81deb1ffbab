import { isJobsError } from '@sidelinja/jobs-core'
import { expect, test } from 'vitest'
import { contentsUrl } from './contents-url.ts'

const base = new URL('https://git.example.org')

test.each([
  ['me/show', 'a.srt', 'https://git.example.org/api/v1/repos/me/show/contents/a.srt'],
  [
    'me/show',
    'æøå/Blå bær #1?.srt',
    'https://git.example.org/api/v1/repos/me/show/contents/%C3%A6%C3%B8%C3%A5/Bl%C3%A5%20b%C3%A6r%20%231%3F.srt',
  ],
  ['me/show', 'a%2Fb/..c/d..', 'https://git.example.org/api/v1/repos/me/show/contents/a%252Fb/..c/d..'],
])('%s %s', (repository, path, address) => {
  expect(contentsUrl(base, repository, path).href).toBe(address)
})

test('below a path of the server’s own', () => {
  for (const url of ['https://example.org/git', 'https://example.org/git/']) {
    expect(contentsUrl(new URL(url), 'me/show', 'a').href).toBe('https://example.org/git/api/v1/repos/me/show/contents/a')
  }
})

test.each([
  ['me/show', '../../../user/emails'],
  ['me/show', 'a/../b'],
  ['me/show', './a'],
  ['me/show', '/a'],
  ['me/show', 'a//b'],
  ['me/show', 'a/'],
  ['me/show', ''],
  ['me/show', '.git/config'],
  ['me/show', 'a/.GIT/hooks'],
  ['me/show', 'a\\b'],
  ['me/show', 'a\0b'],
  ['me/show', 'a\nb'],
  ['me/show', 'a\ud800'],
  ['../users', 'a'],
  ['me/..', 'a'],
  ['me', 'a'],
  ['me/show/more', 'a'],
  ['/show', 'a'],
])('refuses %j %j', (repository, path) => {
  expect(() => contentsUrl(base, repository, path)).toThrow(expect.toSatisfy((error) => isJobsError(error, 'permanent')))
})

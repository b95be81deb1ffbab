import { expect, test } from 'vitest'
import { asFolders, episodeOf } from './episode.ts'

const folders = asFolders(['/media/', '/ep'])

test.each([
  ['/media/ep001.mp3', '/media/ep001.mp3'],
  ['/media/ep001.mp3?utm_source=rss&x=%C3%A6/../', '/media/ep001.mp3'],
  ['/media/%65p002.mp3', '/media/ep002.mp3'],
  ['/media/Bl%C3%A5b%C3%A6r.mp3', '/media/Blåbær.mp3'],
  ['/ep/%E5pent%20hus.mp3', '/ep/%E5pent hus.mp3'],
  ['/ep/100%.mp3', '/ep/100%.mp3'],
  ['/media/a%00b.mp3', '/media/a%00b.mp3'],
  ['//media/./x/../ep001.mp3', '/media/ep001.mp3'],
  ['/media%2Fep001.mp3', '/media/ep001.mp3'],
  ['http://localhost:8780/media/ep001.mp3', '/media/ep001.mp3'],
])('%s is %s', (uri, episode) => {
  expect(episodeOf(uri, folders)).toBe(episode)
})

test.each([
  '/',
  '/feed.xml',
  '/media',
  '/media/',
  '/media-kit/a.mp3',
  '/media/../private/a.mp3',
  '/media/%2E%2E/private/a.mp3',
  '*',
  '',
  'media/a.mp3',
])('%s is no episode', (uri) => {
  expect(episodeOf(uri, folders)).toBeUndefined()
})

test('what text columns cannot hold is kept out', () => {
  expect(episodeOf('/media/a\0b.mp3', folders)).toBeUndefined()
  expect(episodeOf('/media/a\ud800b.mp3', folders)).toBe('/media/a\ufffdb.mp3')
})

test('a path that is too long is no episode', () => {
  expect(episodeOf(`/media/${'a'.repeat(1017)}`, folders)).toHaveLength(1024)
  expect(episodeOf(`/media/${'a'.repeat(1018)}`, folders)).toBeUndefined()
  expect(episodeOf(`/media/${'å'.repeat(600)}`, folders)).toBeUndefined()
})

test('the whole site may be media', () => {
  expect(episodeOf('/ep001.mp3', asFolders(['/']))).toBe('/ep001.mp3')
})

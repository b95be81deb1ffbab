import { expect, test } from 'vitest'
import { builtIn, createClassifier } from './classify.ts'

const classify = createClassifier()

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

test.each([
  ['Overcast/3.0 (+http://overcast.fm/; iOS podcast app)', 'Overcast', 'app'],
  ['Podcasts/1650.1 CFNetwork/1498.700.2 Darwin/23.6.0', 'Apple Podcasts', 'app'],
  ['AppleCoreMedia/1.0.0.21G93 (iPhone; U; CPU OS 17_6_1 like Mac OS X; nb_no)', 'AppleCoreMedia', 'library'],
  ['Pocket Casts/7.64', 'Pocket Casts', 'app'],
  ['Shifty Jelly Pocket Casts, Android v6.4.9', 'Pocket Casts', 'app'],
  ['PocketCasts/1.0 (Pocket Casts Feed Parser; +http://pocketcasts.com/)', 'Pocket Casts', 'app'],
  ['AntennaPod/3.4.0', 'AntennaPod', 'app'],
  ['Spotify/8.9.18 iOS/17.4 (iPhone14,5)', 'Spotify', 'app'],
  ['NRK Radio/7.1.0 (Android 14)', 'NRK Radio', 'app'],
  ['AmazonMusic/24.5 iPhone', 'Amazon Music', 'app'],
  [windows, 'Chrome', 'browser'],
  [`${windows} Edg/131.0.0.0`, 'Edge', 'browser'],
  [`${windows} OPR/115.0.0.0`, 'Opera', 'browser'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox', 'browser'],
  [`${iphone} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari', 'browser'],
  [`${iphone} CriOS/125.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'browser'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'bot'],
  ['Podcastindex.org/v1.0 (podping)', 'Podcastindex', 'bot'],
  ['Amazon Music Podcast', 'Amazon Music (server)', 'bot'],
  ['curl/7.88.1', 'curl', 'bot'],
  ['Spotify/1.0', 'Spotify (server)', 'bot'],
  ['Overcast/1.0 Podcast Sync (9 subscribers; feed-id=1)', 'Overcast (server)', 'bot'],
  ['atc/1.0 watchOS/10.1 model/Watch6,2 hwp/t8301 build/21S71 (6; dt:247)', 'Apple Watch', 'watch'],
  ['Podcasts (null)/(null) watchOS/10.1', 'Apple Watch', 'watch'],
  ['Kjøkkenradio/1.0 "sitat" \\ bakstrek\ttab', 'unknown', 'unknown'],
  ['My own robot/1.0', 'unknown', 'unknown'],
  ['', 'unknown', 'unknown'],
  [undefined, 'unknown', 'unknown'],
])('%s is %s', (userAgent, app, kind) => {
  expect(classify(userAgent)).toEqual({ app, kind })
})

test('every table holds its own kind, and is as large as it should be', () => {
  const kinds = Object.fromEntries(
    Object.entries(builtIn).map(([group, entries]) => [group, [...new Set(entries.map(([, kind]) => kind))]]),
  )
  expect(kinds).toEqual({ watches: ['watch'], bots: ['bot'], apps: ['app'], libraries: ['library'], browsers: ['browser'] })
  expect(new Set(builtIn.bots.map(([name]) => name)).size).toBeGreaterThanOrEqual(40)
  expect(new Set(builtIn.apps.map(([name]) => name)).size).toBeGreaterThanOrEqual(60)
})

test('no name is of two kinds', () => {
  const kinds = Map.groupBy(Object.values(builtIn).flat(), ([name]) => name)
  expect([...kinds.values()].filter((entries) => new Set(entries.map(([, kind]) => kind)).size > 1)).toEqual([])
})

test('a very long user agent costs little, whatever it is made of', () => {
  const unlucky = ['Mozilla/', 'a', ' ', '1.', 'Podcasts ', '(null)/', 'atc/', 'CFNetwork/1 ', '[FB', '; wv)']
  for (const piece of unlucky) {
    const before = process.cpuUsage()
    createClassifier()(`Mozilla/${piece.repeat(100_000)}x`)
    createClassifier()(piece.repeat(100_000))
    expect(process.cpuUsage(before).user / 1_000, piece).toBeLessThan(2_000)
  }
})

test('a classifier remembers, and goes on after its memory is full', () => {
  const one = createClassifier()
  expect(one('AntennaPod/3.4.0')).toBe(one('AntennaPod/3.4.0'))
  for (let index = 0; index < 10_001; index++) one(`Listener/${index}`)
  expect(one('AntennaPod/3.4.0').app).toBe('AntennaPod')
})

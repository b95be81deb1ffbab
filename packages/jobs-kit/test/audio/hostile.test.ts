import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { externalTrack } from './external-track.ts'
import { calm, ffmpeg, noted, samplesOf, sine, useAudio, wav } from './support.ts'

if (!ffmpeg) console.log('not run: 28 tests, needs ffmpeg')

/** What leads to another file or address; `SECRET` and `URL` are put in. Each is called .mp3, and as what it is. */
const references: [string, string][] = [
  ['playlist.m3u8', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:SECRET\n#EXT-X-ENDLIST\n'],
  ['remote.m3u8', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nURL\n#EXT-X-ENDLIST\n'],
  ['master.m3u8', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nURL\n'],
  ['plain.m3u', 'SECRET\n'],
  ['script.ffconcat', "ffconcat version 1.0\nfile 'SECRET'\n"],
  ['relative.ffconcat', "ffconcat version 1.0\nfile 'secret.mp3'\n"],
  ['nested.ffconcat', "ffconcat version 1.0\nfile 'subfile,,start,0,end,0,,:SECRET'\n"],
  ['session.sdp', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio PORT RTP/AVP 0\n'],
  [
    'manifest.mpd',
    '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1"><BaseURL>SECRET</BaseURL></Representation></AdaptationSet></Period></MPD>',
  ],
  ['index.idx', '# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\n'],
  ['radio.asx', '<asx version="3.0"><entry><ref href="URL"/></entry></asx>'],
  ['movie.smil', '<smil><body><audio src="file:SECRET"/></body></smil>'],
]

describe.skipIf(!ffmpeg)('hostile audio', async () => {
  const t = await useAudio()

  test.each(references)('%s opens no other file and no address', async (name, content) => {
    let visits = 0
    const server = createServer((socket) => {
      visits++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const secret = await t.make('secret.mp3', ...sine(2))
    const text = content
      .replaceAll('SECRET', join(t.media, secret.path))
      .replaceAll('URL', `http://127.0.0.1:${port}/a.mp3`)
      .replaceAll('PORT', String(port))
    for (const file of [await t.write(name, text), await t.write('named.mp3', text)]) {
      await expect(t.tools.measure(file, {}, calm)).rejects.toMatchObject({ code: 'AUDIO_UNREADABLE', kind: 'permanent' })
      await expect(t.tools.cut(file, { startMs: 0, endMs: 1_000, format: 'wav' }, calm)).rejects.toMatchObject({ kind: 'permanent' })
    }
    expect(visits).toBe(0)
  })

  test('a movie whose sound lies in another file does not get it', async () => {
    const secret = await readFile(join(t.media, (await t.make('secret.m4a', ...sine(2))).path))
    const file = await t.write('outside.m4a', externalTrack(secret, join(t.media, 'secret.m4a')))
    // It would, if it were allowed to; its own samples are zeros, which are no sound.
    await t.make('stolen.wav', '-enable_drefs', '1', '-i', 'outside.m4a')
    expect((await stat(join(t.media, 'stolen.wav'))).size).toBeGreaterThan(100_000)
    await expect(t.tools.measure(file, {}, calm)).rejects.toMatchObject({ kind: 'permanent' })
  })

  test('a name that means something to ffmpeg is just a name', async () => {
    for (const name of ['-version', 'concat:a.wav', 'pipe:0', 'a%03d.wav', '-i']) {
      await writeFile(join(t.media, name), wav({ frames: 16_000 }))
      expect(await t.tools.measure(t.file(name), {}, calm)).toMatchObject({ decodedMs: 1_000 })
    }
  })

  test('a cover that unpacks to hundreds of megabytes stays packed', async () => {
    await t.make('plain.mp3', ...sine(2))
    await t.make('bomb.png', '-f', 'lavfi', '-i', 'color=black:size=9000x9000,format=rgba', '-frames:v', '1')
    expect((await stat(join(t.media, 'bomb.png'))).size).toBeLessThan(1_000_000)
    await t.make('cover.mp3', '-i', 'plain.mp3', '-i', 'bomb.png', '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v', 'attached_pic')
    const [ffmpegPath, ffprobePath] = [await t.program('ffmpeg', noted), await t.program('ffprobe', noted)]
    const watch = watchMemory(ffmpegPath, ffprobePath)
    expect(await t.withTools({ ffmpegPath, ffprobePath }).measure(t.file('cover.mp3'), {}, calm)).toMatchObject({ cutShort: false })
    expect(watch.peakMb()).toBeLessThan(250)
  })

  test.each([
    ['1 Hz', { sampleRate: 1 }, /sample rate is 1 Hz/],
    ['4 GHz', { sampleRate: 4_000_000_000 }, /no audio file/],
    ['2 GHz', { sampleRate: 2_000_000_000 }, /sample rate is 2000000000 Hz/],
    ['100 channels', { channels: 100, frames: 1_600 }, /100 channels, 64 are the most/],
    ['1,000 channels', { channels: 1_000, frames: 160 }, /no audio file/],
    ['no channel', { channels: 0, frames: 0 }, /no audio file/],
  ])('a WAV of %s is refused', async (_name, options, message) => {
    const file = await t.write('odd.wav', wav(options))
    await expect(t.tools.probe(file, calm)).rejects.toMatchObject({ code: 'AUDIO_UNREADABLE', message: expect.stringMatching(message) })
  })

  test.each([3, 6, 10, 64])('%i microphones without a place are mixed alike', async (channels) => {
    const file = await t.write('many.wav', wav({ channels, sampleAt: (_, channel) => (channel === channels - 1 ? 16_000 : 0) }))
    const samples = await samplesOf(t.tools, file)
    expect(samples).toHaveLength(16_000)
    expect(Math.abs((samples[8_000] ?? 0) - 16_000 / channels)).toBeLessThan(2)
  })

  test('video with sound is audio', async () => {
    const file = await t.make('video.mp4', '-f', 'lavfi', '-i', 'testsrc=duration=3:size=320x240:rate=5', ...sine(3), '-shortest')
    expect(await t.tools.measure(file, {}, calm)).toMatchObject({ cutShort: false })
    const piece = await t.tools.cut(file, { startMs: 1_000, endMs: 2_000, format: 'flac' }, calm)
    expect(piece.durationMs).toBe(1_000)
    await piece[Symbol.asyncDispose]()
  })

  test('a decode that would not end is ended', async () => {
    // Two hours of nothing in some kilobytes; a day would fit as well.
    const silence = 'anullsrc=sample_rate=8000:channel_layout=mono:duration=7200'
    const file = await t.make('endless.flac', '-f', 'lavfi', '-i', silence, '-frame_size', '65535')
    expect((await stat(join(t.media, 'endless.flac'))).size).toBeLessThan(100_000)
    await expect(t.withTools({ maxDurationMs: 3_600_000 }).measure(file, {}, calm)).rejects.toMatchObject({
      ...{ code: 'AUDIO_TOO_LONG', kind: 'permanent' },
      message: '"endless.flac" is longer than 1 h, which is the most that is read. Cut it into several files.',
    })
  })

  test('a jump of ten hours in the times of frames fills no memory', async () => {
    const file = await t.make('jump.mkv', ...sine(10), '-af', "asetpts='PTS+gte(T,5)*36000/TB'", '-c:a', 'libopus')
    const ffmpegPath = await t.program('ffmpeg', noted)
    const watch = watchMemory(ffmpegPath)
    const measured = await t.withTools({ ffmpegPath }).measure(file, {}, calm)
    expect(measured).toMatchObject({ durationMs: 36_010_008, cutShort: true })
    expect(watch.peakMb()).toBeLessThan(500)
  })
})

/** The most memory that programs which write down their number have, as long as the test lasts: looked at a hundred times a second. */
function watchMemory(...programs: string[]): { peakMb: () => number } {
  let peakMb = 0
  const look = () => {
    for (const program of programs) peakMb = Math.max(peakMb, peakMbOf(program))
  }
  const timer = setInterval(look, 10)
  onTestFinished(() => clearInterval(timer))
  return { peakMb: () => peakMb }
}

/** The kernel's own mark of it; 0 when the program has not begun, or has ended. */
function peakMbOf(program: string): number {
  try {
    const status = readFileSync(`/proc/${Number(readFileSync(`${program}.pid`, 'utf8'))}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_000
  } catch {
    return 0
  }
}

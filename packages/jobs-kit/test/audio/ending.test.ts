import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RootedFile } from '@sidelinja/jobs-kit'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { calm, ffmpeg, noted, sine, useAudio, wav } from './support.ts'

if (!ffmpeg) console.log('not run: 20 tests, needs ffmpeg')

const piece = { startMs: 0, endMs: 60_000, format: 'flac' } as const

/** Writes down its number, then never ends. */
const stuck = 'echo $$ > "$0.pid"\nexec sleep 1000'

describe.skipIf(!ffmpeg)('how a run of ffmpeg ends', async () => {
  const t = await useAudio()
  let long: RootedFile
  beforeAll(async () => {
    long = await t.write('long.wav', wav({ frames: 16_000 * 300 }))
  })
  const pidOf = (program: string) =>
    vi.waitFor(async () => Number(await readFile(`${program}.pid`, 'utf8')) || Promise.reject(new Error('no pid')), { timeout: 20_000 })
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  }

  test('an abort before it begins, and in the middle: its reason, and no process is left', async () => {
    const reason = new Error('enough')
    await expect(t.tools.probe(long, AbortSignal.abort(reason))).rejects.toBe(reason)
    const program = await t.program('ffmpeg', noted)
    const controller = new AbortController()
    let calls = 0
    const onSamples = () => {
      calls++
      controller.abort(reason)
    }
    const decoding = t.withTools({ ffmpegPath: program }).decode(long, { sampleRate: 16_000, onSamples }, controller.signal)
    await expect(decoding).rejects.toBe(reason)
    expect(calls).toBe(1)
    expect(isGone(await pidOf(program))).toBe(true)
  })

  test.each(['probe', 'cut'] as const)('an abort while %s hangs', async (what) => {
    const path = await t.program(what === 'probe' ? 'ffprobe' : 'ffmpeg', stuck)
    const tools = t.withTools(what === 'probe' ? { ffprobePath: path } : { ffmpegPath: path })
    const controller = new AbortController()
    const reason = new Error('enough')
    const running = what === 'probe' ? tools.probe(long, controller.signal) : tools.cut(long, piece, controller.signal)
    const rejected = expect(running).rejects.toBe(reason)
    const pid = await pidOf(path)
    controller.abort(reason)
    await rejected
    expect(isGone(pid)).toBe(true)
    expect(await t.temporaryFiles()).toEqual([])
  })

  test('an error in what takes the samples ends it too', async () => {
    const program = await t.program('ffmpeg', noted)
    const onSamples = () => {
      throw new Error('cannot')
    }
    await expect(t.withTools({ ffmpegPath: program }).decode(long, { sampleRate: 16_000, onSamples }, calm)).rejects.toThrow('cannot')
    expect(isGone(await pidOf(program))).toBe(true)
  })

  test('what takes longer than it may is ended, and tried again', async () => {
    const program = await t.program('ffmpeg', stuck)
    // Long enough to write its number down on a busy machine.
    await expect(t.withTools({ ffmpegPath: program, limitMs: 3_000 }).measure(long, {}, calm)).rejects.toMatchObject({
      ...{ code: 'FFMPEG_TIMEOUT', kind: 'transient' },
    })
    expect(isGone(await pidOf(program))).toBe(true)
  })

  test.each([
    ['SIGKILL', /ended by SIGKILL/],
    ['SIGTERM', /ended by SIGTERM|by a signal/],
    ['SIGINT', /ended by SIGINT|by a signal/],
    ['SIGSEGV', /ended by SIGSEGV/],
  ] as const)('%s from outside is no fault of the file', async (signal, message) => {
    const program = await t.program('ffmpeg', noted)
    // Its number is written down before it has decoded anything.
    const onSamples = once(() => process.kill(Number(readFileSync(`${program}.pid`, 'utf8')), signal))
    const decoding = t.withTools({ ffmpegPath: program }).decode(long, { sampleRate: 48_000, onSamples }, calm)
    await expect(decoding).rejects.toMatchObject({ code: 'FFMPEG_FAILED', kind: 'transient', message: expect.stringMatching(message) })
  })

  test.each([
    ['Input/output error', 'FILE_READ_FAILED'],
    ['Stale file handle', 'FILE_READ_FAILED'],
    ['No space left on device', 'AUDIO_TEMP_FAILED'],
  ])('"%s" is a fault of the machine even when ffmpeg says that all went well', async (text, code) => {
    const program = await t.program('ffmpeg', `echo "[mp3 @ 0x55d0] file:/dev/fd/3: ${text}" >&2\nexec $real "$@"`)
    const failure = await t
      .withTools({ ffmpegPath: program })
      .measure(long, {}, calm)
      .catch((error) => error)
    expect(failure).toMatchObject({ code, kind: 'transient', message: expect.stringContaining(`the file: ${text}`) })
  })

  test('a machine without memory is no fault of the file', async () => {
    const program = await t.program('ffmpeg', 'echo "Error: Cannot allocate memory" >&2\nexit 1')
    await expect(t.withTools({ ffmpegPath: program }).measure(long, {}, calm)).rejects.toMatchObject({
      code: 'FFMPEG_FAILED',
      kind: 'transient',
    })
  })

  test('megabytes of complaints are not kept', async () => {
    const program = await t.program('ffmpeg', 'yes "[mp3 @ 0x1] Header missing" | head -c 50000000 >&2\nexit 1')
    const failure = await t
      .withTools({ ffmpegPath: program })
      .measure(long, {}, calm)
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'AUDIO_UNREADABLE', message: expect.stringContaining('(ffmpeg says: Header missing)') })
  })

  test('no room for a piece: the file has one limit of size, then there is no folder', async () => {
    const program = await t.program('ffmpeg', `trap '' XFSZ\nulimit -f 16\nexec $real "$@"`)
    for (const format of ['flac', 'wav'] as const) {
      const noisy = await t.make('noise.wav', '-f', 'lavfi', '-i', 'anoisesrc=duration=20')
      await expect(t.withTools({ ffmpegPath: program }).cut(noisy, { ...piece, format }, calm)).rejects.toMatchObject({
        ...{ code: 'AUDIO_TEMP_FAILED', kind: 'transient' },
      })
    }
    expect(await t.temporaryFiles()).toEqual([])
    await expect(t.withTools({ tempFolder: join(t.tempFolder, 'nope') }).cut(long, piece, calm)).rejects.toMatchObject({
      ...{ code: 'AUDIO_TEMP_FAILED', kind: 'transient' },
    })
  })

  test('a file that is written to meanwhile is tried again', async () => {
    const growing = await t.write('growing.wav', wav({ frames: 160_000 }))
    const onSamples = once(() => appendFileSync(join(t.media, 'growing.wav'), 'more'))
    await expect(t.tools.decode(growing, { sampleRate: 8_000, onSamples }, calm)).rejects.toMatchObject({
      ...{ code: 'AUDIO_CHANGED', kind: 'transient' },
    })
  })

  test('a piece is gone when it is disposed of, and can be read until then', async () => {
    const cut = await t.tools.cut(long, piece, calm)
    expect(cut).toMatchObject({ durationMs: 60_000, sizeBytes: (await stat(cut.path)).size })
    expect((await readFile(cut.path)).toString('latin1', 0, 4)).toBe('fLaC')
    await cut[Symbol.asyncDispose]()
    await expect(stat(cut.path)).rejects.toThrow()
    expect(await t.temporaryFiles()).toEqual([])
  })

  test('a process that is killed while it cuts leaves no file behind', async () => {
    const program = await t.program('ffmpeg', stuck)
    const script = `
      import { createAudioTools, createFileRoot } from '@sidelinja/jobs-kit'
      const tools = createAudioTools({ ffmpegPath: ${JSON.stringify(program)}, tempFolder: ${JSON.stringify(t.tempFolder)} })
      const file = createFileRoot({ name: 'MEDIA_ROOT', root: ${JSON.stringify(t.media)} }).resolve('long.wav')
      await tools.cut(file, ${JSON.stringify(piece)}, new AbortController().signal)`
    const args = ['--conditions=@sidelinja/source', '--input-type=module', '--eval', script]
    const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: 'ignore' })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    onTestFinished(() => void child.kill('SIGKILL'))
    const pid = await pidOf(program)
    onTestFinished(() => void process.kill(pid, 'SIGKILL'))
    child.kill('SIGKILL')
    await exited
    expect(await t.temporaryFiles()).toEqual([])
  })

  test('start-up says which program is missing, what to install and what to set', async () => {
    await t.tools.check()
    await expect(t.withTools({ ffmpegPath: '/nowhere/ffmpeg' }).check()).rejects.toMatchObject({
      ...{ code: 'FFMPEG_MISSING', kind: 'configuration' },
      message:
        'A handler of this build needs ffmpeg, and "/nowhere/ffmpeg" cannot be run (ENOENT). Install ffmpeg (Debian: apt-get install ffmpeg), or set FFMPEG_PATH to where ffmpeg is.',
    })
    await mkdir(join(t.media, 'bin'))
    const notExecutable = await t.program('ffprobe', '')
    await chmod(notExecutable, 0o644)
    const another = await t.program('ffprobe', 'echo "nothing of the kind"')
    for (const ffprobePath of [notExecutable, another, '']) {
      const checked = t.withTools({ ffprobePath }).check()
      await (ffprobePath === '' ? checked : expect(checked).rejects.toMatchObject({ code: 'FFMPEG_MISSING', message: /set FFPROBE_PATH/ }))
    }
  })

  test('without an audio device, a terminal or a name it makes the same piece twice', async () => {
    const file = await t.make('named.mp3', ...sine(3), '-metadata', 'title=secret title', '-metadata', 'comment=secret comment')
    for (const format of ['flac', 'wav'] as const) {
      const pieces = [await t.tools.cut(file, { ...piece, format }, calm), await t.tools.cut(file, { ...piece, format }, calm)]
      const [first, second] = await Promise.all(pieces.map(({ path }) => readFile(path)))
      for (const one of pieces) await one[Symbol.asyncDispose]()
      expect(first?.equals(second as Buffer)).toBe(true)
      expect(first?.includes('secret')).toBe(false)
    }
  })
})

/** Does it the first time only. */
function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}

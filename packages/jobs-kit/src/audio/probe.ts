import { PermanentError } from '@sidelinja/jobs-core'
import { quote } from '../files/relative-path.ts'
import { failureOf, unreadable } from './audio-errors.ts'
import type { ProbedAudio } from './audio-info.ts'
import { type AudioInput, probeInput } from './input.ts'
import { type ProbeReport, readReport } from './probe-report.ts'
import { readRiffBytes } from './riff.ts'
import { type Program, runProgram } from './run-program.ts'

/** Files of thousands of streams are no audio files; their reports are cut, and do not parse. */
const maxReportBytes = 1024 * 1024

const entries = [
  'format=format_name,duration,nb_streams',
  'stream=codec_type,codec_name,sample_rate,channels,channel_layout,duration,bit_rate',
  'stream_tags=DURATION',
  'stream_disposition=attached_pic',
].join(':')

/** What ffprobe and the file's own first bytes say of it. */
export async function probeInputFile(ffprobe: Program, input: AudioInput, signal: AbortSignal, limitMs: number): Promise<ProbedAudio> {
  const output: Buffer[] = []
  let bytes = 0
  const end = await runProgram(ffprobe, {
    // Last one wins: of its warnings we want that it has only estimated the length.
    args: [...probeInput, '-v', 'warning', '-show_entries', entries, '-of', 'json'],
    ...{ descriptors: [input.descriptor], signal, limitMs },
    onOutput(chunk) {
      bytes += chunk.length
      if (bytes <= maxReportBytes) output.push(chunk)
    },
  })
  const failure = failureOf(end, input.path)
  if (failure) throw failure
  const report = readReport(Buffer.concat(output).toString(), end.stderr)
  checkReport(report, input.path)
  return toInfo(report, input, await readRiffBytes(input.handle))
}

/** Beyond these no microphone goes; ffmpeg takes a thousand times the memory to change such a rate. */
const sampleRates = { min: 1_000, max: 768_000 }
/** The most that ffmpeg mixes. */
const maxChannels = 64

function checkReport(report: ProbeReport | undefined, path: string): asserts report is ProbeReport {
  if (report === undefined) throw unreadable(path, 'it holds nothing that is known')
  const { audio } = report
  if (audio === undefined) {
    throw new PermanentError(
      'AUDIO_TRACK_MISSING',
      `${quote(path)} holds ${report.streams === 0 ? 'nothing' : 'no sound, only a picture or the like'}. Expected an audio file, or a video with sound.`,
    )
  }
  const { sampleRate, channels, codec } = audio
  if (codec === undefined) throw unreadable(path, 'its coding is not known')
  if (!(sampleRate >= sampleRates.min && sampleRate <= sampleRates.max)) throw unreadable(path, `its sample rate is ${sampleRate} Hz`)
  if (!(channels >= 1 && channels <= maxChannels)) throw unreadable(path, `it has ${channels} channels, ${maxChannels} are the most`)
}

function toInfo(report: ProbeReport, { sizeBytes, modifiedMs }: AudioInput, riffBytes: number | undefined): ProbedAudio {
  const { audio } = report
  const { codec = '', sampleRate, channels } = audio ?? { sampleRate: 0, channels: 0 }
  // ffprobe takes what there is of a WAV for all there should be. Its header knows better.
  const isCutRiff = riffBytes !== undefined && riffBytes > sizeBytes && audio?.bitRate !== undefined
  const riffMs = isCutRiff ? Math.round((riffBytes * 8_000) / (audio?.bitRate as number)) : undefined
  const durationMs = riffMs ?? report.durationMs
  return {
    ...{ durationMs, channels, sampleRate, codec, sizeBytes, modifiedMs },
    promisedMs: riffMs ?? (report.isEstimate ? undefined : report.trackMs),
    filters: timelineFilters(report),
  }
}

/**
 * In files whose frames carry a time, pauses may be left out, and sound may begin later than the picture: there silence is put in, as
 * players do. In other files the frames simply follow each other; they may have been glued together from several, with times that start
 * anew, and would lose or gain minutes.
 */
function timelineFilters({ formats, audio }: ProbeReport): string {
  const filters: string[] = []
  if (formats.includes('matroska') || formats.includes('mov')) filters.push('aresample=async=1:first_pts=0')
  // Several microphones and no word of where they stand: mixed alike. Else ffmpeg would guess a cinema, or give up.
  if (audio && audio.channels > 2 && !audio.hasLayout) {
    filters.push(`pan=mono|c0<${Array.from({ length: audio.channels }, (_, n) => `c${n}`).join('+')}`)
  }
  return filters.join(',') || 'anull'
}

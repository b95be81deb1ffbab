import { z } from 'zod'

const number = z.coerce.number().optional().catch(undefined)
const text = z.string().optional().catch(undefined)

const schema = z.object({
  format: z.object({ format_name: z.string(), duration: number }),
  streams: z.array(
    z.object({
      codec_type: text,
      codec_name: text,
      sample_rate: number,
      channels: number,
      channel_layout: text,
      duration: number,
      bit_rate: number,
      disposition: z.object({ attached_pic: number }).optional().catch(undefined),
      tags: z.object({ DURATION: text }).optional().catch(undefined),
    }),
  ),
})

/** What we want to know from ffprobe's report. */
export interface ProbeReport {
  /** Names of the container: `mov,mp4,m4a…` are one. */
  readonly formats: readonly string[]
  readonly streams: number
  readonly durationMs: number | undefined
  /** Of the sound alone, where the container tells it apart from the picture. */
  readonly trackMs: number | undefined
  /** The length is a guess from the file's size. */
  readonly isEstimate: boolean
  /** The first audio track. */
  readonly audio: AudioTrack | undefined
}

interface AudioTrack {
  readonly codec: string | undefined
  readonly sampleRate: number
  readonly channels: number
  readonly hasLayout: boolean
  readonly bitRate: number | undefined
}

/** Reads the report; undefined when it is none. */
export function readReport(json: string, warnings: string): ProbeReport | undefined {
  const parsed = schema.safeParse(parse(json))
  if (!parsed.success) return undefined
  const { format, streams } = parsed.data
  const track = streams.find(({ codec_type }) => codec_type === 'audio')
  const formats = format.format_name.split(',')
  const wholeMs = toMs(format.duration)
  const isAlone = streams.every((stream) => stream === track || stream.disposition?.attached_pic === 1)
  // Beside a picture ffprobe may take the length of the whole for that of the sound; only MP4 has one of its own for each.
  const ownMs = isAlone || formats.includes('mov') ? (toMs(track?.duration) ?? (isAlone ? wholeMs : undefined)) : undefined
  const trackMs = clockToMs(track?.tags?.DURATION) ?? ownMs
  return {
    formats,
    streams: streams.length,
    durationMs: trackMs ?? wholeMs,
    trackMs,
    isEstimate: /Estimating duration from bitrate|using bitrate for duration/.test(warnings),
    audio: track && {
      codec: track.codec_name === 'unknown' ? undefined : track.codec_name,
      sampleRate: track.sample_rate ?? 0,
      channels: track.channels ?? 0,
      hasLayout: track.channel_layout !== undefined && track.channel_layout !== 'unknown',
      bitRate: track.bit_rate || undefined,
    },
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1_000) : undefined
}

/** `00:01:02.345000000`, as Matroska's tags have it. */
function clockToMs(clock: string | undefined): number | undefined {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(clock ?? '') ?? []
  return seconds === undefined ? undefined : toMs(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds))
}

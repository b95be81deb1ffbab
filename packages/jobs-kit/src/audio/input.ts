import type { FileHandle } from 'node:fs/promises'
import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import type { RootedFile } from '../files/file-root.ts'
import { quote } from '../files/relative-path.ts'

/**
 * Containers that hold everything themselves. ffmpeg knows hundreds more and finds out by the content which one a file is, whatever its
 * name; among them are playlists and scripts (hls, dash, concat, sdp, vobsub …) that would have it open other files and addresses.
 */
const formats = 'mp3 wav w64 flac ogg mov matroska aac aiff caf amr au asf mpegts mpeg avi flv ac3 eac3 ape wv tta'

/** No picture is decoded: a cover of a few kilobytes can unpack to gigabytes. */
const decoders = [
  'aac aac_fixed aac_latm libfdk_aac ac3 ac3_fixed eac3 dca alac flac ape wavpack tta mp1 mp1float mp2 mp2float mp3 mp3float',
  'opus libopus vorbis libvorbis speex libspeex amrnb amrwb libopencore_amrnb libopencore_amrwb gsm gsm_ms libgsm libgsm_ms nellymoser',
  'wmav1 wmav2 wmapro wmalossless wmavoice adpcm_ima_wav adpcm_ima_qt adpcm_ms g722 g726 g726le pcm_alaw pcm_mulaw pcm_bluray pcm_dvd',
  'pcm_u8 pcm_s8 pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be',
].join(' ')

const list = (words: string) => words.split(' ').join(',')

/** Nothing it allocates at once is larger: what a file claims about itself must not fill the machine's memory. */
const maxAllocationBytes = 128 * 1024 * 1024

/** For both programs. The file is the first descriptor it inherits: no path that could be swapped, and no name that could mean something. */
const safeInput = [
  ...['-v', 'error', '-max_alloc', String(maxAllocationBytes)],
  ...['-protocol_whitelist', 'file', '-format_whitelist', list(formats)],
]
const inputFile = ['-i', 'file:/dev/fd/3']

/** ffprobe ends when it may not use a decoder it finds, so there the pictures of videos are skipped; covers are not, and too large. */
export const probeInput = [...safeInput, '-skip_frame:v', 'all', ...inputFile]

/** `position`: options that say where to begin. */
export const decodeInput = (position: readonly string[] = []) => [
  ...['-nostdin', ...safeInput, '-codec_whitelist', list(decoders), '-threads', '1', '-filter_threads', '1'],
  ...[...position, ...inputFile, '-map', '0:a:0'],
]

/** An open audio file. */
export interface AudioInput {
  readonly path: string
  readonly descriptor: number
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Close it when done. */
  readonly handle: FileHandle
  /** @throws TransientError `AUDIO_CHANGED` when somebody has written to it since it was opened. */
  checkUnchanged(): Promise<void>
}

/** Opens a file for both programs, which read it under this one descriptor. */
export async function openInput(file: RootedFile): Promise<AudioInput> {
  const handle = await file.open()
  try {
    const { size: sizeBytes, mtimeMs: modifiedMs } = await handle.stat()
    if (sizeBytes === 0) {
      throw new PermanentError('AUDIO_EMPTY', `${quote(file.path)} is empty (0 bytes). Upload the audio file again.`)
    }
    return {
      ...{ path: file.path, descriptor: handle.fd, sizeBytes, modifiedMs, handle },
      async checkUnchanged() {
        const { size, mtimeMs } = await handle.stat()
        if (size !== sizeBytes || mtimeMs !== modifiedMs) {
          throw new TransientError('AUDIO_CHANGED', `${quote(file.path)} was written to while it was read. It is tried again later.`)
        }
      },
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

import { readFile } from 'node:fs/promises'
import { isJobsError } from '@sidelinja/jobs-core'
import { createAudioTools } from '@sidelinja/jobs-kit'
import { recordedRecognizer, startTranscriptionStandIn, type VerboseTranscription } from '@sidelinja/jobs-kit/testing'
import type { PlaygroundRun } from '../playground-run.ts'

const reply = new URL('../../samples/episode.verbose.json', import.meta.url)

/** Where the episode's services listen. */
export interface EpisodeServices {
  readonly transcriptionUrl: URL
  close(): Promise<void>
}

/** A stand-in for the transcription server; undefined, with a line that says so, where audio cannot be read at all. */
export async function startEpisodeServices({ recorded, audio, print }: PlaygroundRun): Promise<EpisodeServices | undefined> {
  try {
    await createAudioTools(audio).check()
  } catch (error) {
    if (!isJobsError(error, 'configuration')) throw error
    print(
      'Left out: the sample episode. It needs ffmpeg with ffprobe (Debian: apt-get install ffmpeg; FFMPEG_PATH and FFPROBE_PATH where they are elsewhere). Start again when they are there.',
    )
    return undefined
  }
  const known = JSON.parse(await readFile(reply, 'utf8')) as VerboseTranscription
  const transcription = await startTranscriptionStandIn(recorded ? { recognizer: recordedRecognizer(known) } : { recorded: known })
  print(`Transcription: ${transcription.describe()}`)
  return { transcriptionUrl: new URL(transcription.url), close: () => transcription.close() }
}

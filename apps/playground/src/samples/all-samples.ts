import dictationCleanup from '@sidelinja/handler-dictation-cleanup'
import meetingSummarize from '@sidelinja/handler-meeting-summarize'
import promptEval from '@sidelinja/handler-prompt-eval'
import summarizeCommunication from '@sidelinja/handler-summarize-communication'
import valgomatGenerateProfile from '@sidelinja/handler-valgomat-generate-profile'
import valgomatModeration from '@sidelinja/handler-valgomat-moderation'
import { chats } from './chats.ts'
import { dictations } from './dictations.ts'
import { evaluations } from './evaluations.ts'
import { meetings } from './meetings.ts'
import { moderations } from './moderations.ts'
import { profiles } from './profiles.ts'
import type { Sample } from './sample.ts'

/** What the samples need of a worker. */
export const samplePackages = [
  dictationCleanup,
  meetingSummarize,
  promptEval,
  summarizeCommunication,
  valgomatGenerateProfile,
  valgomatModeration,
] as const

/** All samples, in the order in which they are shown. */
export const allSamples: readonly Sample[] = [...meetings, ...chats, ...dictations, ...profiles, ...moderations, ...evaluations]

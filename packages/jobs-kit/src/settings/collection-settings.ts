import { z } from 'zod'
import { strictObject } from './strict-object.ts'

const jobType = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'expected a job type, like whisper_transcribe' })
const text = z.string().min(1, { error: 'expected some text' }).max(20_000)
const word = z.string().min(1, { error: 'expected some text' }).max(200)
const usd = z.number().nonnegative()
const urlPath = z
  .string()
  .regex(/^\/[^?#]*$/, { error: 'expected a decoded URL path that begins with / and has no query, like /media/ep001.mp3' })

const language = z.string().refine(isLanguage, { error: 'expected a language tag, like "nb", "nn" or "en"' })
const timeZone = z.string().refine(isTimeZone, { error: 'expected an IANA time zone, like "Europe/Oslo"' })

/** Names of models as the AI gateway knows them. */
const models = strictObject({
  /** Everyday text work. */
  routine: word.default('sidelinja/rutine'),
  /** Work that needs thought: minutes, profiles, analyses. */
  reasoning: word.default('sidelinja/resonnering'),
  /** Vectors. Changing it means embedding everything anew. */
  embedding: word.default('sidelinja/embed'),
})

/** Upper bounds for what the AI gateway may cost, in US dollars. Without a bound: no limit. */
const budget = strictObject({ perJobUsd: usd.optional(), perDayUsd: usd.optional(), perMonthUsd: usd.optional() })

/** The repository that transcripts are committed to. Server and token are the worker's, never the collection's. */
const forgejo = strictObject({
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, { error: 'expected "owner/name"' }),
  branch: word.default('main'),
  /** Folder inside the repository, without slashes at its ends; '' is the top. */
  folder: z
    .string()
    .regex(/^(?!\/)(?!.*\/$)(?!.*(^|\/)\.\.?(\/|$))[^\\]*$/, { error: 'expected a relative folder, like "transcripts"' })
    .max(500)
    .default(''),
})

const episode = strictObject({
  /** Length of the audio, in seconds. */
  durationS: z.number().positive(),
  /** Bytes of the file before the audio begins: tags, cover picture. */
  headerBytes: z.int().nonnegative().default(0),
})

const statistics = strictObject({
  /** What is an episode: decoded URL paths that begin with one of these. None: nothing is counted. */
  mediaPrefixes: z.array(urlPath).max(100).default([]),
  /** What is known about single episodes, by decoded URL path. An episode without a duration counts when all of it was fetched. */
  episodes: z.record(urlPath, episode).default({}),
  /** Folder below the worker's LOG_ROOT with lists of user agents that go before the built-in ones. None: only those. */
  userAgentsPath: word.optional(),
})

const embeddings = strictObject({
  /** How many numbers a vector must have. Without: as many as the model gives. It is checked, not asked for. */
  dimensions: z.int().positive().max(4096).optional(),
  /** How long a text may be that gets a vector of its own, in estimated tokens. Less for a model that takes less. */
  chunkTokens: z.int().min(50).max(4_000).default(600),
})

const suggestEdges = strictObject({
  enabled: z.boolean().default(true),
  /** A node with less text than this gets no suggestions. */
  minCharacters: z.int().positive().default(200),
})

/**
 * What a collection may say about its jobs: `metadata.jobs` of its node. Every key may be left out; one that is not known is an
 * error, because a misspelt setting that is silently ignored is worse than a failed job.
 */
export const collectionSettings = strictObject({
  /** Language of the content, as a tag: nb, nn, en. */
  language: language.default('nb'),
  /** The zone whose midnight ends a day. */
  timeZone: timeZone.default('Europe/Oslo'),
  /** Names and terms that the transcription should spell right. */
  names: z.array(word).max(1000).default([]),
  models: models.prefault({}),
  /** By job type: instructions that are added to the built-in ones. */
  prompts: z.record(jobType, text).default({}),
  budget: budget.prefault({}),
  forgejo: forgejo.optional(),
  /** By job type: the job types that are enqueued when such a job has completed. */
  followUps: z.record(jobType, z.array(jobType).max(10)).default({}),
  statistics: statistics.prefault({}),
  embeddings: embeddings.prefault({}),
  suggestEdges: suggestEdges.prefault({}),
})

/** The settings of a collection with every default filled in. */
export type CollectionSettings = z.output<typeof collectionSettings>

/** The settings as they are written in `metadata.jobs`. */
export type CollectionSettingsInput = z.input<typeof collectionSettings>

function isTimeZone(value: string): boolean {
  // Intl also takes offsets (+01:00); a zone with summer time is meant.
  return /^[a-z]/i.test(value) && accepts(() => new Intl.DateTimeFormat('en', { timeZone: value }))
}

function isLanguage(value: string): boolean {
  return /^[a-z]{2,3}(-|$)/.test(value) && accepts(() => Intl.getCanonicalLocales(value))
}

function accepts(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

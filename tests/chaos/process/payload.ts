import { z } from 'zod'

export const payload = z.object({
  /** How long the job takes. */
  ms: z.number(),
  /** Tells payloads of one unique key apart. */
  version: z.number().optional(),
})
export type Payload = z.infer<typeof payload>

/** The types a job of the mixed load may have; `handlers.ts` says what each does. */
export type ChaosType = 'chaos_plain' | 'chaos_write' | 'chaos_steps' | 'chaos_retry' | 'chaos_snooze' | 'chaos_refuse' | 'chaos_exhaust'

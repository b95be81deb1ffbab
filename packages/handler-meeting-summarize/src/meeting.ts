import type { Segment } from '@sidelinja/jobs-kit'
import type { KnownPeople } from './known-people.ts'

/** What a reply is checked against. */
export interface Meeting {
  /** The model numbers them from 1. */
  readonly segments: readonly Segment[]
  readonly people: KnownPeople
  /** Null: it is not known. */
  readonly date: string | null
}

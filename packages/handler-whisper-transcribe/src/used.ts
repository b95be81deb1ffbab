import type { Services } from '@sidelinja/jobs-kit'

/** The services that the handler works with. */
export type Used = Pick<Services, 'media' | 'audio' | 'transcription' | 'collections' | 'transcripts' | 'repository'>

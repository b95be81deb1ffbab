import type { CollectionSettings } from '../../settings/collection-settings.ts'
import type { Segment } from '../../subtitles/segment.ts'
import { norwegianForm } from './norwegian-form.ts'

/** What the transcription says, else what the collection says; of Norwegian the form in which it is written. */
export function languageOfSegments(segments: readonly Segment[], { language: standard }: Pick<CollectionSettings, 'language'>): string {
  const language = segments.find((segment) => segment.language)?.language ?? standard
  if (!/^(nb|nn|no)\b/.test(language)) return language
  return norwegianForm(segments.map(({ text }) => text).join(' ')) ?? language
}

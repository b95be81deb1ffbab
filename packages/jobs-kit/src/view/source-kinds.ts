import type { ResultText } from '@sidelinja/jobs-core/admin'

/** What kinds of source a clip can be from, as a page says it. */
export const sourceKinds = {
  news: { nb: 'nyhet', nn: 'nyhende', en: 'news' },
  opinion: { nb: 'mening', nn: 'meining', en: 'opinion' },
  interview: { nb: 'intervju', nn: 'intervju', en: 'interview' },
  research: { nb: 'forskning', nn: 'forsking', en: 'research' },
  report: { nb: 'rapport', nn: 'rapport', en: 'report' },
  official: { nb: 'fra det offentlige', nn: 'frå det offentlege', en: 'official' },
  press_release: { nb: 'pressemelding', nn: 'pressemelding', en: 'press release' },
  blog: { nb: 'blogg', nn: 'blogg', en: 'blog' },
  social_media: { nb: 'sosiale medier', nn: 'sosiale medium', en: 'social media' },
  other: { nb: 'annet', nn: 'anna', en: 'other' },
} satisfies Readonly<Record<string, ResultText>>

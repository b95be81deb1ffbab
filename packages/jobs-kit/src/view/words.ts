import type { ResultText } from '@sidelinja/jobs-core/admin'

/** Words that results of several job types have in common, in the languages of the page. */
export const words = {
  duration: { nb: 'Lengde', nn: 'Lengd', en: 'Length' },
  language: { nb: 'Språk', nn: 'Språk', en: 'Language' },
  model: { nb: 'Modell', nn: 'Modell', en: 'Model' },
  segments: { nb: 'Avsnitt', nn: 'Avsnitt', en: 'Segments' },
  summary: { nb: 'Sammendrag', nn: 'Samandrag', en: 'Summary' },
  transcript: { nb: 'Transkripsjon', nn: 'Transkripsjon', en: 'Transcript' },
  waveform: { nb: 'Lydbølge', nn: 'Lydbølgje', en: 'Waveform' },
  cutShort: {
    nb: 'Lydfila slutter før den skulle: det som mangler, er ikke med.',
    nn: 'Lydfila sluttar før ho skulle: det som manglar, er ikkje med.',
    en: 'The audio file ends before it should: what is missing is not here.',
  },
  noSpeech: { nb: 'Ingen snakker i opptaket.', nn: 'Ingen snakkar i opptaket.', en: 'Nobody speaks in the recording.' },
} as const satisfies Readonly<Record<string, ResultText>>

/** What a finished job came to. */
export const result = {
  'result.title': 'Resultat',
  'result.as_data': 'Vis som data',
  'result.failed.error': 'Resultatet kunne ikkje teiknast. Det står som data under; feilen står i loggen til serveren.',
  'result.failed.too_slow': 'Det tok for lang tid å hente resultatet. Det står som data under; last sida på nytt for å prøve igjen.',
  'result.all': 'Vis alle {n}',
  'result.all_text': 'Vis heile teksten',
  'result.fewer': 'Vis færre',
  'result.less_text': 'Vis mindre',
  'result.more': 'Det er meir enn dette: sida viser berre byrjinga.',
  'result.doubtful': 'usikkert: {why}',
  'result.doubtful.count': '{n} avsnitt er usikkert og er merkt.|{n} avsnitt er usikre og er merkte.',
  'waveform.text': '{length}. Høgaste nivå er {peak} %. {quiet} % av tida er nesten stille.',
  'waveform.silent': '{length}. Det er ingen lyd.',
} as const

/** What a finished job came to. */
export const result = {
  'result.title': 'Resultat',
  'result.as_data': 'Vis som data',
  'result.failed.error': 'Resultatet kunne ikke tegnes. Det står som data under; feilen står i serverens logg.',
  'result.failed.too_slow': 'Det tok for lang tid å hente resultatet. Det står som data under; last siden på nytt for å prøve igjen.',
  'result.all': 'Vis alle {n}',
  'result.all_text': 'Vis hele teksten',
  'result.fewer': 'Vis færre',
  'result.less_text': 'Vis mindre',
  'result.more': 'Det er mer enn dette: siden viser bare begynnelsen.',
  'result.doubtful': 'usikkert: {why}',
  'result.doubtful.count': '{n} avsnitt er usikkert og er merket.|{n} avsnitt er usikre og er merket.',
  'waveform.text': '{length}. Høyeste nivå er {peak} %. {quiet} % av tiden er nesten stille.',
  'waveform.silent': '{length}. Det er ingen lyd.',
} as const

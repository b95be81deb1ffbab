/** What ended over time, and how long it took. */
export const flow = {
  'flow.title': 'Flyten',
  'flow.span': 'Kor langt attende',
  'flow.span.minute': '30 minutt',
  'flow.span.hour': '24 timar',
  'flow.failed': 'Feila for godt',
  'flow.retried': 'Feila, blir prøvd att',
  'flow.now': 'no',
  'flow.none': '{title}, {span}: ingen.',
  'flow.description': '{title}, {span}: {total} i alt, mest {peak} frå kl. {at}.',
  'flow.numbers': 'Vis tala',
  'flow.numbers.caption': 'Jobbar som tok slutt, dei nyaste først',
  'flow.from': 'Frå',
  'flow.times': 'Tid per type',
  'flow.times.caption': 'Gjennomstrøyming og tidsbruk per type',
  'flow.wait.usual': 'Ventetid, vanleg',
  'flow.wait.long': 'Ventetid, lang',
  'flow.run.usual': 'Køyretid, vanleg',
  'flow.run.long': 'Køyretid, lang',
  'flow.times.explained':
    'Tidene gjeld denne timen og den førre. Halvparten av jobbane bruker mindre enn «vanleg», 95 av 100 mindre enn «lang». Alle tal her er nokre sekund gamle.',
} as const

/** What ended over time, and how long it took. */
export const flow = {
  'flow.title': 'Flyten',
  'flow.span': 'Hvor langt tilbake',
  'flow.span.minute': '30 minutter',
  'flow.span.hour': '24 timer',
  'flow.failed': 'Feilet for godt',
  'flow.retried': 'Feilet, prøves igjen',
  'flow.now': 'nå',
  'flow.none': '{title}, {span}: ingen.',
  'flow.description': '{title}, {span}: {total} i alt, mest {peak} fra kl. {at}.',
  'flow.numbers': 'Vis tallene',
  'flow.numbers.caption': 'Jobber som tok slutt, de nyeste først',
  'flow.from': 'Fra',
  'flow.times': 'Tid per type',
  'flow.times.caption': 'Gjennomstrømning og tidsbruk per type',
  'flow.wait.usual': 'Ventetid, vanlig',
  'flow.wait.long': 'Ventetid, lang',
  'flow.run.usual': 'Kjøretid, vanlig',
  'flow.run.long': 'Kjøretid, lang',
  'flow.times.explained':
    'Tidene gjelder denne timen og den forrige. Halvparten av jobbene bruker mindre enn «vanlig», 95 av 100 mindre enn «lang». Alle tall her er noen sekunder gamle.',
} as const

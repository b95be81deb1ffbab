/** What two people say, over and over. */
export const said = [
  { speaker: 'Ingrid', text: 'Velkommen til Sidelinja. I dag handler det om ferja som skulle ha gått i høst, og som ingen har sett.' },
  { speaker: 'Ingrid', text: 'Med meg har jeg Oddvar Lien, som har bodd ved fjorden i førti år.' },
  { speaker: 'Oddvar', text: 'Takk. Ja, det er vel så lenge at jeg har sluttet å telle.' },
  { speaker: 'Oddvar', text: 'Den gamle ruta gikk fire ganger om dagen, også på søndager.' },
  { speaker: null, text: 'Det var slik folk kom seg på jobb.' },
  { speaker: 'Ingrid', text: 'Og så ble den lagt ned?' },
  { speaker: 'Oddvar', text: 'I mars. Uten at noen hadde spurt oss som bor her.' },
  { speaker: 'Oddvar', text: 'Uten at noen hadde spurt oss som bor her.' },
  { speaker: 'Ingrid', text: 'Fylket skriver i et brev at passasjertallet var «for lavt over tid». Hva tenker du om det?' },
  { speaker: 'Oddvar', text: 'Jeg tenker at tallene er fra året da ferja sto til reparasjon i elleve uker.' },
] as const

/** What a model made of it. */
export const analysis = {
  title: 'Ferja som aldri kom',
  description:
    'I mars ble ferjesambandet lagt ned. Vi møter Oddvar Lien, som har reist over fjorden i førti år, og spør hva tallene egentlig viser.',
  summary:
    'Oddvar Lien forteller om ferjeruta som knyttet bygda til byen, og om hvordan den ble lagt ned uten høring.\n\nFylket viser til lave passasjertall, men tallene er fra et år da ferja sto til reparasjon i elleve uker.',
  chapters: [
    { startMs: 0, title: 'En fjord uten ferje' },
    { startMs: 312_000, title: 'Fire avganger om dagen' },
    { startMs: 905_000, title: 'Brevet fra fylket' },
    { startMs: 1_610_000, title: 'Hva skjer nå?' },
  ],
  topics: [
    { nodeId: '5a1de11a-0000-4000-8000-0000000000aa', name: 'samferdsel', confidence: 0.93 },
    { nodeId: null, name: 'lokaldemokrati', confidence: 0.81 },
    { nodeId: null, name: 'statistikk', confidence: 0.64 },
  ],
  people: [
    { name: 'Oddvar Lien', role: 'pensjonert skipper', startMs: 5_000 },
    { name: 'Ingrid', role: 'programleder', startMs: 0 },
  ],
  quotes: [{ startMs: 44_800, text: 'Jeg tenker at tallene er fra året da ferja sto til reparasjon i elleve uker.' }],
  language: 'nb',
}

/** What somebody pasted. */
export const clipText = `Ferjesambandet over fjorden ble lagt ned i mars. Fylkeskommunen viser til at passasjertallet var for lavt over tid.

Tallene som ligger til grunn, er fra 2024. Det året sto ferja til reparasjon i elleve uker, og ble erstattet av en buss som gikk to ganger om dagen.

Velforeningen har bedt om at saken tas opp på nytt.`

/** What a model made of that. */
export const clip = {
  summary: 'Ferjesambandet er lagt ned etter tall fra et år da ferja var ute av drift i elleve uker.',
  keyClaims: [
    { claim: 'Sambandet ble lagt ned i mars.', quote: 'Ferjesambandet over fjorden ble lagt ned i mars.' },
    { claim: 'Passasjertallene er fra et år med lang reparasjon.', quote: 'Det året sto ferja til reparasjon i elleve uker' },
  ],
  ...{ sourceType: 'news', sourceUrl: 'https://avis.example.org/ferja', language: 'nb', leftOut: 3 },
  ...{ model: 'reasoning', promptVersion: '3' },
}

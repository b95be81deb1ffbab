import { expect, test } from 'vitest'
import { readDocument } from '../document/read-document.ts'
import { obstacleOfPage } from './obstacle-of.ts'

/** Own texts, after what sites here and elsewhere say. */
const para =
  'Kommunestyret vedtok tirsdag kveld å bygge ny bru over elva, etter flere år med utredninger og lange diskusjoner om hvor den skulle stå. '
const short = `<p>${para}</p>`
const P = (title: string, body: string) =>
  `<!doctype html><html lang="nb"><head><meta charset=utf-8><title>${title}</title></head><body>${body}</body></html>`

function judge(html: string) {
  const url = new URL('https://avisa.example/nyheter/kai')
  const document = readDocument({ bytes: Buffer.from(html), headerCharset: 'utf-8' })
  return obstacleOfPage({ requested: url, url, status: 200, headers: {} }, document)
}

const articles: [name: string, html: string][] = [
  [
    'kort notis om cookies',
    P(
      'Datatilsynet: Slutt å lure folk med cookies',
      `<nav><a>Hjem</a></nav><article><h1>Datatilsynet: Slutt å lure folk med cookies</h1><p>Datatilsynet ber nettsteder om å gjøre det like lett å avvise alle informasjonskapsler som å godta alle. Mange nettsteder gjør knappen «Godta alle» stor og gul, mens «Avvis alle» er gjemt bak «Tilpass valg».</p><p>– Et samtykke skal være frivillig, sier direktør Kari Hansen. Hun viser til nye regler fra nyttår.</p></article>`,
    ),
  ],
  [
    'short english about cookies',
    P(
      'EU fines sites over cookie banners',
      `<article><h1>EU fines sites over cookie banners</h1><p>Regulators fined three publishers on Monday for banners that let readers accept all cookies with one click but hid the option to reject all behind two screens labelled "manage options".</p><p>"We value your privacy" is not a legal basis, the regulator wrote.</p></article>`,
    ),
  ],
  [
    'nynorsk om informasjonskapslar',
    P(
      'Nye reglar for informasjonskapslar',
      `<article><h1>Nye reglar for informasjonskapslar</h1><p>Frå 1. januar må nettstader la folk avvise alle informasjonskapslar like lett som å godta alle, seier Nkom. ${para}</p></article>`,
    ),
  ],
  [
    'kort sak om abonnement',
    P(
      'Avisa får flere abonnenter',
      `<article><h1>Avisa får flere abonnenter</h1><p>Lokalavisa har fått 400 nye abonnenter i år. Mange kjøper abonnement for å lese om kommunevalget, sier redaktør Per Ås. ${para}</p></article>`,
    ),
  ],
  [
    'artikkel med newsletter',
    P(
      'Ny bru',
      `<article><h1>Ny bru</h1>${short.repeat(4)}<p>Subscribe to our newsletter to continue getting updates. Read more here.</p></article>`,
    ),
  ],
  [
    'artikkel med footer allerede abonnent',
    P(
      'Ny bru',
      `<header><a>Allerede abonnent? Logg inn</a> <a>Bli abonnent</a></header><article><h1>Ny bru</h1>${short.repeat(6)}</article><footer>Er du abonnent? Logg inn her.</footer>`,
    ),
  ],
  [
    'kort notis i avis med header "Allerede abonnent?"',
    P(
      'Ny bru',
      `<header><a href=/>Avisa</a> <a>Allerede abonnent? Logg inn</a></header><article><h1>Ny bru</h1>${short.repeat(3)}</article>`,
    ),
  ],
  [
    'sak som heter Ingen tilgang',
    P('Ingen tilgang til stranda', `<article><h1>Ingen tilgang til stranda</h1>${short.repeat(3)}</article>`),
  ],
  [
    'Siden 1980',
    P(
      'Siden er blitt populær: Facebook-gruppa vokser',
      `<article><h1>Siden er blitt populær: Facebook-gruppa vokser</h1>${short.repeat(3)}</article>`,
    ),
  ],
  ['Sida finst', P('Siden 1814 har Norge feiret dagen', `<article><h1>Siden 1814 har Norge feiret dagen</h1>${short.repeat(3)}</article>`)],
  ['Oops', P('Oops! I forgot my keys', `<article><h1>Oops! I forgot my keys</h1>${short.repeat(3)}</article>`)],
  [
    'Just a moment title',
    P('Just a moment: how time works', `<article><h1>Just a moment: how time works</h1>${short.repeat(3)}</article>`),
  ],
  [
    '403-artikkel access denied',
    P(
      'Access denied: reporters barred from court',
      `<article><h1>Access denied: reporters barred from court</h1>${short.repeat(3)}</article>`,
    ),
  ],
  [
    'saken er slettet (rettssak)',
    P('Saken ble fjernet fra listen', `<article><h1>Saken ble fjernet fra listen</h1>${short.repeat(3)}</article>`),
  ],
  [
    'banner uten class, kort artikkel',
    P(
      'Ny bru',
      `<div id="sp_message"><p>Vi bruker informasjonskapsler.</p><button>Godta alle</button><button>Avvis alle</button><p>Før du fortsetter</p></div><article><h1>Ny bru</h1>${short.repeat(5)}</article>`,
    ),
  ],
  [
    'CMP modal tekst + artikkel 800 tegn',
    P(
      'Ny bru',
      `<div class="fc-dialog"><h2>Vi verdsetter personvernet ditt</h2><p>Vi og våre 842 partnere bruker informasjonskapsler. Godta alle eller avvis alle. Tilpass valg.</p></div><article><h1>Ny bru</h1>${short.repeat(8)}</article>`,
    ),
  ],
  [
    'notis under et banner',
    P(
      'Ny bru',
      `<div class="cookies">Vi bruker informasjonskapsler. <button>Godta alle</button> <button>Avvis alle</button></div><article><h1>Ny bru</h1>${short}</article>`,
    ),
  ],
  ['article w/ password form', P('Ny bru', `<form><input type=password></form><article><h1>Ny bru</h1>${short.repeat(2)}</article>`)],
]

test.each(articles)('a short article about such things, or on a site that has them on every page, is one: %s', (_, html) =>
  expect(judge(html)).toBeNull(),
)

test('words that were made to take time take none', () => {
  const started = performance.now()
  for (const part of ['vi ', '"', '«', 'for å lese ', 'subscribe ', 'logg inn ', 'javascript ', '404 ', 'siden du leter ']) {
    judge(P(part.repeat(100), `<p>${part.repeat(5_000)}</p>`))
  }
  expect(performance.now() - started).toBeLessThan(10_000)
})

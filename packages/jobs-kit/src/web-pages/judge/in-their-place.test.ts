import { expect, test } from 'vitest'
import { readDocument } from '../document/read-document.ts'
import { obstacleOfPage } from './obstacle-of.ts'

/** Own texts, after what sites here and elsewhere say. */
const para =
  'Kommunestyret vedtok tirsdag kveld å bygge ny bru over elva, etter flere år med utredninger og lange diskusjoner om hvor den skulle stå. '
const short = `<p>${para}</p>`
const P = (title: string, body: string) =>
  `<!doctype html><html lang="nb"><head><meta charset=utf-8><title>${title}</title></head><body>${body}</body></html>`

function judge(html: string, to = 'https://avisa.example/nyheter/kai') {
  const document = readDocument({ bytes: Buffer.from(html), headerCharset: 'utf-8' })
  return obstacleOfPage({ requested: new URL('https://avisa.example/nyheter/kai'), url: new URL(to), status: 200, headers: {} }, document)
}

const others: [obstacle: string, name: string, html: string, to?: string][] = [
  [
    'consent',
    'Google nb',
    P(
      'Før du fortsetter til Google Søk',
      '<div><h1>Før du fortsetter til Google</h1><p>Vi bruker informasjonskapsler og data for å levere og vedlikeholde tjenester fra Google, spore avbrudd og beskytte mot nettsøppel.</p><p>Hvis du velger Godta alle, bruker vi også informasjonskapsler til å utvikle nye tjenester.</p><button>Avvis alle</button><button>Godta alle</button><a>Flere alternativer</a></div>',
    ),
    'https://consent.google.com/m?continue=x',
  ],
  [
    'consent',
    'VG/Schibsted',
    P(
      'Personvern',
      '<h1>Vi bryr oss om personvernet ditt</h1><p>Schibsted er ansvarlig for dine data på denne siden. Vi og våre 241 partnere lagrer og/eller får tilgang til informasjon på en enhet, som informasjonskapsler.</p><button>Godta alle</button><button>Innstillinger</button>',
    ),
  ],
  [
    'consent',
    'en yahoo',
    P(
      'Yahoo is part of the Yahoo family of brands',
      '<h1>We, Yahoo, are part of the Yahoo family of brands</h1><p>When you use our sites and apps, we use cookies to: provide our sites and apps to you, authenticate users...</p><button>Accept all</button><button>Reject all</button><button>Manage privacy settings</button>',
    ),
    'https://consent.yahoo.com/v2/collectConsent?sessionId=1',
  ],
  [
    'consent',
    'nynorsk',
    P(
      'Samtykke',
      '<p>Vi brukar informasjonskapslar for å gje deg ei god oppleving. Du kan godta alle eller avvise alle. Før du held fram må du velje.</p>',
    ),
  ],
  [
    'consent',
    'onetrust en',
    P(
      'Daily',
      '<div><p>We and our 120 partners store and access personal data, like browsing data or unique identifiers, on your device. By selecting "I Accept" you enable tracking. We use cookies.</p><button>I Accept</button><button>Show Purposes</button> <p>Accept all or reject all</p></div>',
    ),
  ],
  [
    'paywall',
    'nb amedia',
    P(
      'Ny bru',
      `<article><h1>Ny bru</h1>${short}<div>Denne artikkelen er over 100 dager gammel</div><p>Saken er for abonnenter. Kjøp abonnement for å lese videre.</p><p>Allerede abonnent? Logg inn</p></article>`,
    ),
  ],
  [
    'paywall',
    'nb schibsted',
    P(
      'Ny bru',
      `<article><h1>Ny bru</h1>${short.repeat(2)}<p>Vil du lese hele saken? Du trenger et abonnement for å lese videre.</p><a>Se tilbud</a></article>`,
    ),
  ],
  ['paywall', 'nn', P('Ny bru', `<article><h1>Ny bru</h1>${short.repeat(2)}<p>Du må vere abonnent for å lese heile saka.</p></article>`)],
  [
    'paywall',
    'nn2',
    P(
      'Ny bru',
      `<article><h1>Ny bru</h1>${short.repeat(2)}<p>Denne saka er berre for abonnentar. Logg inn eller kjøp tilgang.</p></article>`,
    ),
  ],
  [
    'paywall',
    'nyt',
    P(
      'Bridge',
      `<article><h1>Bridge</h1>${short.repeat(2)}<p>We are having trouble retrieving the article content. Thank you for your patience while we verify access. Already a subscriber? Log in. Want all of The Times? Subscribe.</p></article>`,
    ),
  ],
  [
    'paywall',
    'register',
    P('Bridge', `<article><h1>Bridge</h1>${short.repeat(2)}<p>Create a free account to keep reading. Register now.</p></article>`),
  ],
  [
    'paywall',
    'members',
    P(
      'Bridge',
      `<article><h1>Bridge</h1>${short.repeat(2)}<p>This post is for paying subscribers only</p><button>Subscribe</button></article>`,
    ),
  ],
  [
    'paywall',
    'medium',
    P(
      'Bridge',
      `<article><h1>Bridge</h1>${short.repeat(2)}<p>The author made this story available to Medium members only. Sign up to read this one for free.</p></article>`,
    ),
  ],
  [
    'paywall',
    'pluss',
    P('Ny bru', `<article><h1>Ny bru</h1>${short.repeat(2)}<p>Les hele saken med abonnement</p><p>Kun 1 kr for 4 uker</p></article>`),
  ],
  [
    'not_found',
    'nb nrk',
    P('404 - NRK', '<h1>Vi finner ikke siden du leter etter</h1><p>Kanskje er den flyttet eller slettet. Gå til forsiden eller søk.</p>'),
  ],
  [
    'not_found',
    'nb kommune',
    P(
      'Fant ikke siden - Testby kommune',
      '<h1>Beklager, vi fant ikke siden</h1><p>Siden du prøver å nå finnes ikke lenger. Prøv å søke.</p>',
    ),
  ],
  ['not_found', 'nn', P('Fann ikkje sida', '<h1>Vi fann ikkje sida du leita etter</h1><p>Ho kan vere flytta eller sletta.</p>')],
  [
    'not_found',
    'nb vi fant ikke',
    P(
      'Avisa',
      '<h1>Vi fant ikke siden du lette etter</h1><p>Lenken er kanskje gammel eller feil. Prøv søket på forsiden i stedet, eller kontakt oss.</p>',
    ),
  ],
  [
    'not_found',
    'beklager',
    P(
      'Avisa',
      '<h1>Beklager, siden finnes ikke</h1><p>Lenken er kanskje gammel eller feil. Prøv søket på forsiden i stedet, eller kontakt oss.</p>',
    ),
  ],
  [
    'not_found',
    'en sorry',
    P(
      'Paper',
      "<h1>Sorry, we couldn't find that page</h1><p>The link may be broken, or the page may have been removed. Try our search instead.</p>",
    ),
  ],
  [
    'not_found',
    'en longer exists',
    P(
      'Paper',
      '<h1>This page is no longer available</h1><p>The link may be broken, or the page may have been removed. Try our search instead.</p>',
    ),
  ],
  [
    'not_found',
    'no longer nb',
    P(
      'Avisa',
      '<h1>Artikkelen er ikke lenger tilgjengelig</h1><p>Lenken kan være ødelagt, eller så er artikkelen fjernet. Bruk gjerne søket.</p>',
    ),
  ],
  ['refused', 'datadome', P('avisa.example', '<p>Please enable JS and disable any ad blocker</p>')],
  [
    'refused',
    'captcha',
    P('Access to this page has been denied', '<p>Press & Hold to confirm you are a human (and not a bot).</p><p>Reference ID 123</p>'),
  ],
  [
    'refused',
    'login nb',
    P(
      'Logg inn - Intranett',
      '<h1>Logg inn</h1><p>Logg inn med brukernavnet ditt for å se denne siden.</p><form><input name=u><input type=password></form>',
    ),
  ],
  [
    'refused',
    'login med sso only',
    P('Logg inn', '<h1>Du må logge inn</h1><p>Bruk Feide eller ID-porten for å gå videre til siden du ba om.</p><a>Logg inn med Feide</a>'),
    'https://login.example/signin?return=x',
  ],
  ['needs_script', 'react', P('App', '<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>')],
  ['needs_script', 'nb', P('App', '<noscript>Nettstedet fungerer ikke uten JavaScript</noscript><div id=main></div>')],
  [
    'needs_script',
    'twitter',
    P(
      'X',
      '<div><h1>JavaScript is not available.</h1><p>We’ve detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue using x.com.</p></div>',
    ),
  ],
  ['needs_script', 'loading', P('App', '<div id="app">Laster …</div><script src=a.js></script>')],
  ['needs_script', 'react loading only script', P('App', '<div class="app"></div><script type=module src=/main.js></script>')],
]

test.each(others)('what stands in the place of an article is told: %s, %s', (obstacle, _, html, to) =>
  expect(judge(html, to)).toBe(obstacle),
)

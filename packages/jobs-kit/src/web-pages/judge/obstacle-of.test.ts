import { describe, expect, test } from 'vitest'
import { readDocument } from '../document/read-document.ts'
import { obstacleOfAnswer, obstacleOfPage } from './obstacle-of.ts'

const sentence = 'Kommunen har bygd ny kai i Sørvågen, og fiskerne er fornøyde med både dybden og strømmen der ute. '
const article = (about: string, sentences = 30) => `<h1>${about}</h1>${`<p>${about} ${sentence}</p>`.repeat(sentences)}`
const page = (body: string, head = '<title>Ny kai</title>') =>
  `<!doctype html><html lang="nb"><head>${head}</head><body>${body}</body></html>`

function judge(html: string, { from = 'https://avisa.example/nyheter/kai', to = from }: { from?: string; to?: string } = {}) {
  const document = readDocument({ bytes: Buffer.from(html), headerCharset: 'utf-8' })
  return obstacleOfPage({ requested: new URL(from), url: new URL(to), status: 200, headers: {} }, document)
}

const banner = '<div class="cookie">Vi bruker informasjonskapsler. <button>Godta alle</button> <a>Avvis alle</a> Før du går videre</div>'

describe('an article', () => {
  test.each([
    ['of some length', page(article('Kai'))],
    ['that is short', page(`<article><h1>Kai</h1><p>${sentence}</p></article>`)],
    ['in a page with a banner', page(`${banner}<main><article>${article('Kai')}</article></main>`)],
    ['in a page whose menu sells subscriptions', page(`<nav><a>Bli abonnent</a> <a>Logg inn</a></nav><main>${article('Kai', 4)}</main>`)],
    [
      'about cookies',
      page(article('Nettsteder må la folk avvis alle informasjonskapsler, og ikke bare godta alle. We value your privacy,')),
    ],
    ['about paywalls', page(article('Du må være abonnent for å lese saken, står det. Already a subscriber? spør de.'))],
    ['about robots', page(article('Are you a robot? spør nettstedene.'), '<title>Are you a robot? Slik spør de</title>')],
    ['about things that are not there', page(article('404 ikke funnet'), '<title>404 ikke funnet: slik blir den til</title>')],
    ['about JavaScript', page(article('You need to enable JavaScript'))],
    ['with a place for a program', page(`<div id="app"></div>${article('Kai')}<noscript>Please enable JavaScript</noscript>`)],
    [
      'that says it is free',
      page(article('Kai'), '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":true}</script>'),
    ],
    ['in a page where one may log in', page(`<form><input type="password"></form>${article('Kai', 5)}`)],
  ])('%s', (_, html) => expect(judge(html)).toBeNull())

  test('at the front page, where that was asked for', () =>
    expect(judge(page(article('Kai')), { from: 'https://avisa.example/' })).toBeNull())
})

describe('no article', () => {
  test.each([
    ['consent', page(`<div>Før du fortsetter til avisa: Vi bruker informasjonskapsler. Godta alle. Avvis alle.</div>`)],
    [
      'consent',
      page(
        '<h1>Before you continue</h1><p>We use cookies and data to deliver services.</p><button>Reject all</button><button>Accept all</button> <p>Accept all · Manage options</p>',
      ),
    ],
    ['consent', page('<p>Vi og våre 842 partnere lagrer informasjonskapsler på enheten. Du kan endre innstillinger når som helst.</p>')],
    ['not_found', page('<h1>Siden finnes ikke</h1><p>Kanskje lette du etter noe annet? Prøv søket vårt, eller gå til forsiden.</p>')],
    [
      'not_found',
      page('<p>Sorry about that. Try the search instead, or go to our start page to find it.</p>', '<title>Page not found | Paper</title>'),
    ],
    ['not_found', page('<p>Her var det ingenting, men det er mye annet å lese om været og om kysten.</p>', '<title>404 – Avisa</title>')],
    ['refused', page('<h1>Checking your browser</h1><p>This takes a few seconds.</p>', '<title>Just a moment...</title>')],
    ['refused', page('<h1>Logg inn</h1><form>Brukernavn <input> Passord <input type="password"></form>')],
    [
      'paywall',
      page(
        article('Kai', 3),
        '<script type="application/ld+json">{"@graph":[{"@type":["NewsArticle"],"headline":"Kai","isAccessibleForFree":"False"}]}</script>',
      ),
    ],
    ['paywall', page(article('Kai'), '<meta property="article:content_tier" content="locked">')],
    ['paywall', page(`<article>${article('Kai', 4)}</article><div class="paywall">Denne saken er kun for abonnenter</div>`)],
    ['paywall', page(`<article>${article('Kai', 4)}</article><aside>For å lese resten av saken må du logge inn.</aside>`)],
    ['paywall', page(`<article>${article('Pier', 4)}<p>Subscribe now to continue reading.</p></article>`)],
    ['needs_script', page('<div id="root"></div><script src="/app.js"></script>')],
    ['needs_script', page('<noscript>You need to enable JavaScript to run this app.</noscript><div></div>')],
    ['needs_script', page('<p>Denne siden krever at JavaScript er slått på i nettleseren din.</p>')],
    ['empty', page('')],
    ['empty', ''],
    ['empty', page('<nav><a>Forsiden</a></nav><img src="x.png">')],
  ])('is told as %s: %s', (obstacle, html) => expect(judge(html)).toBe(obstacle))

  test.each([
    ['https://consent.avisa.example/?continue=x', '<p>Vi trenger ditt svar: bruk av informasjonskapsler på våre sider.</p>', 'consent'],
    ['https://avisa.example/v2/collectConsent?s=1', '<p>We use cookies, and would like to know what you think of them.</p>', 'consent'],
    ['https://avisa.example/', article('Kai'), 'not_found'],
    ['https://www.avisa.example/', article('Kai'), 'not_found'],
    ['https://id.example/login?next=x', `<h1>Velkommen</h1><p>${sentence.repeat(5)}</p><input type="password">`, 'refused'],
    ['https://annen.example/', article('Kai'), null],
    ['https://avisa.example/nyheter/kai-2', article('Kai'), null],
  ])('where the address led to %s', (to, body, obstacle) => expect(judge(page(body), { to })).toBe(obstacle))
})

test.each([
  [200, null],
  [204, null],
  [304, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [402, 'paywall'],
  [403, 'refused'],
  [404, 'not_found'],
  [410, 'not_found'],
  [451, 'refused'],
])('an answer of %i is %s', (status, obstacle) => {
  const url = new URL('https://avisa.example/')
  expect(obstacleOfAnswer({ requested: url, url, status, headers: {} })).toBe(obstacle)
  expect(obstacleOfAnswer({ requested: url, url, status, headers: { 'cf-mitigated': 'challenge' } })).toBe('refused')
})

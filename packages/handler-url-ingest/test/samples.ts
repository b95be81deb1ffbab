/** An article's paragraphs; own text, bokmål. */
export const paragraphs = [
  'Fra 1. februar skal skøyta «Havørn» ligge i Sørvågen. Den er 18 meter lang og kan gå i 32 knop, og den skal ikke være lenger enn 20 minutter unna ytterste fyr.',
  '– Vi har ventet på dette i elleve år, sier havnesjef Turid Enoksen. Kommunen betaler 2,4 millioner kroner i året, og resten kommer fra innsamlede midler.',
  'Ikke alle er fornøyde. Fisker Odd Hansen mener at pengene heller burde gått til kaia, som har stått tom siden 2019.',
]

/** Its page, with what pages have around an article. */
export const page = (change: { title?: string; head?: string; body?: string } = {}) => {
  const { title = 'Kystbyen får ny redningsskøyte', head = '', body = paragraphs.map((text) => `<p>${text}</p>`).join('\n') } = change
  return `<!doctype html><html lang="no"><head><meta charset="utf-8"><title>${title} | Avisa</title>
<meta property="og:title" content="${title}"><meta property="og:site_name" content="Avisa">
<meta property="article:published_time" content="2026-01-20T08:00:00+01:00"><meta name="author" content="Kari Lyng">${head}</head>
<body><nav><a href="/">Forsiden</a> <a href="/abo">Bli abonnent</a></nav>
<div class="cookies">Vi bruker informasjonskapsler. <button>Godta alle</button></div>
<main><article><h1>${title}</h1>${body}</article></main><footer>Ansvarlig redaktør: Per</footer></body></html>`
}

/** A programme of three pages of a party that does not exist; own text, bokmål. */
export const programme = [
  `Bygdelista i Nordvik – program
Skole og oppvekst
Bygdelista vil beholde alle de tre barneskolene i kommunen. Skoleveien skal ikke være lengre enn ti kilometer.
Vi går imot lekser på barnetrinnet.`,
  `Samferdsel
Nattbussen må kjøre hele året, og den skal være gratis for ungdom under 20 år.
Vi vil ikke ha bompenger på veien over fjellet.`,
  `Næring
Vi sier ja til vindkraft der grunneierne vil ha den, men ikke i områder der reinen beiter.
Brannstasjonen skal selges til høystbydende.`,
].join('\f')

/** What voters are asked about. */
export const statements = [
  'Alle barneskolene i kommunen bør beholdes.',
  'Det bør være bompenger på veien over fjellet.',
  'Nattbussen bør være gratis for ungdom.',
  'Kommunen bør bygge et nytt badeland.',
]

/** Of another party that does not exist; own text, nynorsk. */
export const nynorskProgramme = `Fjellpartiet
Me vil ikkje leggje ned sjukeheimen i Fjellbygda.
\fMe vil ha meir skogplanting, og kommunen skal gje tilskot til kvar ein som plantar.`

/** An article as it was copied from a page; own text, bokmål. */
export const article = `Meny
Logg inn

Kystbyen får ny redningsskøyte

Fra 1. februar skal skøyta «Havørn» ligge i Sørvågen. Den er 18 meter lang og kan gå i 32 knop, og den skal ikke være lenger enn 20 minutter unna ytterste fyr.

Les også: Ti turer for hele familien

– Vi har ventet på dette i elleve år, sier havnesjef Turid Enoksen. Kommunen betaler 2,4 millioner kroner i året, og resten kommer fra innsamlede midler.
Ikke alle er fornøyde. Fisker Odd Hansen mener at pengene heller burde gått til kaia.

Mer om saken: https://sorvagen.example.no/havn

Vi bruker informasjonskapsler for å gjøre sidene bedre.
Del på sosiale medier`

/** A press release; own text, nynorsk. */
export const release = `Fjordmuseet opnar ny utstilling om notbruk

Eg er glad for at vi endeleg kan vise fram desse bileta, seier museumsleiar Gunnhild Bakke. Dei er tekne mellom 1908 og 1931, og ingen har sett dei før.

Utstillinga viser korleis folk levde av silda, og ho står til 30. august. Det kostar ikkje noko å kome inn.`

/** A long report of so many paragraphs, each with a sentence of its own; own text. */
export const report = (paragraphs: number) =>
  Array.from(
    { length: paragraphs },
    (_, n) =>
      `Punkt ${1000 + n}: Utvalget mener at veien over fjellet ikke kan stenges hver gang det blåser, og at det må bygges overbygg.`,
  ).join('\n\n')

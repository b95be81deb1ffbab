/** A dictated note as it was heard; own text, bokmål. */
export const note = `Eh, jeg snakket med Ingrid Solberg i Nordvik kommune i dag, og hun sier at at den nye svømmehallen blir dyrere enn de trodde.
Den skulle koste 84 millioner kroner, men nå er det snakk om 97,5 millioner. Hmm, byggingen begynner 3. mars, og hallen skal stå ferdig høsten 2028.

Rådmann Per Aune vil ikke si hvor pengene skal komme fra. Hele regnskapet ligger på https://nordvik.example.no/svommehall, og møtet er på torsdag klokken 18.30.`

/** A notice of a village; own text, nynorsk. */
export const notice = `Eg vil ikkje at vi skal gløyme dugnaden på Vassenden skule laurdag 14. mai. Vi treng 25 frivillige, og dei som kjem, får graut.

Kari Myklebust styrer arbeidet, og ho seier at målinga ikkje tek meir enn 4 timar. Kvifor møter ikkje fleire opp? Det var berre 11 som kom i fjor.`

/** A long report of so many paragraphs, each of which has a number and a name of its own; own text. */
export const report = (paragraphs: number) =>
  Array.from(
    { length: paragraphs },
    (_, n) =>
      `I sak ${1000 + n} ble det sagt at Grend${letters(n)} må få bedre vei før vinteren kommer, og at det ikke kan vente. ` +
      `Naboene var enige om det meste, men ikke om hvem som skal betale for grusen.`,
  ).join('\n\n')

/** 0 is a, 27 is bb …: a name that stands nowhere else. */
function letters(n: number): string {
  return String.fromCodePoint(97 + (n % 26)).repeat(1 + Math.floor(n / 26))
}

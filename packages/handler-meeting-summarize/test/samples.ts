/** A board meeting, as it was transcribed; own text, bokmål. Held on Tuesday 1 December 2026. */
export const board = [
  'Da er klokka sju, og jeg ønsker velkommen til styremøte i Nordvik roklubb.',
  'Første sak er budsjettet for neste år, og Selma har sendt det ut på forhånd.',
  'Er det noen som har noe imot at vi vedtar budsjettet slik det ligger?',
  'Nei, da er budsjettet vedtatt med 240 000 kroner til nye årer.',
  'Jonas, kan du hente inn tilbud på årene innen fredag?',
  'Ja, det skal jeg gjøre, jeg sender tre tilbud til styret.',
  'Og Selma må huske å søke kommunen om støtte før 15. januar.',
  'Så er det naustet. Taket lekker, og vi vet fortsatt ikke hvem som skal betale for det.',
  'Vi tar det opp igjen neste uke, når forsikringen har svart.',
  'Da var det ikke mer, takk for i kveld.',
]

/** What a club talked about; own text, nynorsk. */
export const club = [
  'Velkomne til møte i mållaget, eg heiter Gunnhild Bakke og leier møtet i dag.',
  'Vi vedtok i fjor at ordboka skal trykkjast opp att, og no er ho ferdig.',
  'Årsmøtet vedtek å gje hundre ordbøker til skulen.',
  'Olav skal køyre bøkene til skulen i morgon.',
  'Kven skal halde talen på festen? Det veit vi ikkje enno.',
  'Då seier vi takk for i dag, og vel heim.',
]

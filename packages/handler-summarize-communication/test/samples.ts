/** Who wrote what in the chat of a board; own text, bokmål. */
export const chat: readonly [author: string, text: string][] = [
  ['Selma', 'Hei! Kommunen har svart om brannstasjonen.'],
  ['Jonas', 'Endelig. Hva sier de?'],
  ['Selma', 'Vi kan leie den for 4 500 kroner i måneden fra 1. mars.'],
  ['Jonas', 'Det er under halvparten av det vi trodde. Da sier vi ja?'],
  ['Amira', 'Ja, men vi må vite hvem som betaler strømmen først.'],
  ['Selma', 'Jeg spør dem om strømmen i morgen, så tar vi det på møtet på torsdag.'],
]

/** In the chat of a choir; own text, nynorsk. */
export const choirChat: readonly [author: string, text: string][] = [
  ['Ingebjørg', 'Kven kan ta med kaker til øvinga på onsdag?'],
  ['Olav', 'Eg kan, men ikkje noko med nøtter, for Kari toler dei ikkje.'],
  ['Ingebjørg', 'Fint! Og hugs at vi byrjar klokka sju denne gongen.'],
  ['Olav', 'Då kjem eg rett frå fjøset.'],
]

import type { Problem } from './http/problem.ts'

const texts: Readonly<Record<string, string>> = {
  NOT_SIGNED_IN: 'Du må logge inn for å se denne siden.',
  NOT_ALLOWED: 'Du har ikke tilgang til dette.',
  CROSS_SITE: 'Forespørselen kom fra et annet nettsted og ble avvist.',
  ORIGIN_MISMATCH: 'Serverens adresse er satt opp feil, så den avviser sine egne skjemaer. Loggen på serveren sier hva som må endres.',
  CONTENT_TYPE: 'Skjemaet ble sendt på en måte serveren ikke tar imot.',
  TOO_MANY_ACTIONS: 'Det ble for mange handlinger på kort tid. Vent litt og prøv igjen.',
  DATABASE_AWAY: 'Databasen svarer ikke akkurat nå. Prøv igjen om litt.',
  QUERY_TOO_SLOW: 'Databasen brukte for lang tid. Prøv igjen om litt.',
}
const anything = 'Noe gikk galt på serveren.'

/** What somebody reads in place of the page. */
export function pageText({ code, correlationId }: Problem): string {
  const text = texts[code] ?? anything
  return `${correlationId === undefined ? text : `${text}\nFeilen står i serverens logg under ${correlationId}.`}\n`
}

/** Headers that the adapter takes the origin from. What a client sends under these names is overwritten. */
export const PROTOCOL_HEADER = 'x-admin-protocol'
export const HOST_HEADER = 'x-admin-host'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Why a request gets no further; null when it does.
 *
 * @typedef {{ status: number, text: string, log?: string }} Refusal
 */

/**
 * Gives a request the origin that is configured, whatever Host and X-Forwarded-* say.
 *
 * @param {{ url?: string | undefined, method?: string | undefined, headers: import('node:http').IncomingHttpHeaders }} request
 * @param {URL} origin
 * @returns {Refusal | null}
 */
export function pinOrigin(request, origin) {
  const { headers } = request
  headers[PROTOCOL_HEADER] = origin.protocol.slice(0, -1)
  headers[HOST_HEADER] = origin.host
  // Anything else would be read as a part of the host's name.
  if (!request.url?.startsWith('/')) return { status: 400, text: 'Bad Request' }
  return isOwnPageElsewhere(request, origin) ? misconfigured(headers.origin, origin) : null
}

/**
 * SvelteKit would say "cross-site", which is not what the user did: their browser says that the page is of this server.
 *
 * @param {{ method?: string | undefined, headers: import('node:http').IncomingHttpHeaders }} request
 * @param {URL} origin
 */
function isOwnPageElsewhere({ method = 'GET', headers }, origin) {
  const isSame = headers['sec-fetch-site'] === 'same-origin'
  return !SAFE_METHODS.has(method) && isSame && headers.origin !== undefined && headers.origin !== origin.origin
}

/**
 * @param {string | undefined} theirs
 * @param {URL} origin
 * @returns {Refusal}
 */
function misconfigured(theirs = '', origin) {
  const shown = JSON.stringify(theirs.slice(0, 200))
  return {
    status: 403,
    text: `Skjemaet ble avvist: du bruker adressen ${shown}, men serveren er satt opp for ${origin.origin} (ADMIN_ORIGIN). Bruk den adressen, eller be om at ADMIN_ORIGIN rettes.`,
    log: `A page at ${shown} was refused: ADMIN_ORIGIN is ${origin.origin}. If browsers use the former, set ADMIN_ORIGIN to it.`,
  }
}

/**
 * What the server needs to know before it loads the application.
 *
 * @typedef {object} ServerSettings
 * @property {URL} origin under which browsers reach it
 * @property {string} host address it listens on
 * @property {number} port 0: any that is free
 */

/** The adapter would take the origin from headers of these names, which a client can send as well as a proxy. */
const HEADER_VARIABLES = ['PROTOCOL_HEADER', 'HOST_HEADER', 'PORT_HEADER']
const EXAMPLE = 'the address browsers use, like https://admin.example.org'

/**
 * Reads the settings, or says everything that is wrong with them.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {{ settings: ServerSettings } | { problems: string[] }}
 */
export function readServerSettings(env) {
  const origin = readOrigin(env.ADMIN_ORIGIN)
  const port = readPort(env.PORT)
  const problems = [origin, port].filter((value) => typeof value === 'string')
  for (const name of HEADER_VARIABLES) {
    if (env[name]) problems.push(`${name} is set. The origin is that of ADMIN_ORIGIN, whatever headers say; unset ${name}.`)
  }
  if (env.ORIGIN && env.ORIGIN !== env.ADMIN_ORIGIN) {
    problems.push('ORIGIN is set, and is not the same as ADMIN_ORIGIN. Only ADMIN_ORIGIN counts; unset ORIGIN.')
  }
  if (problems.length > 0 || typeof origin === 'string' || typeof port === 'string') return { problems }
  const host = env.HOST || hostFor(origin)
  const reachable = whoElseComes(origin, host)
  if (env.ADMIN_DEMO_USERS && env.ADMIN_DEMO_PUBLIC !== '1' && reachable) return { problems: [demoInPublic(reachable)] }
  return { settings: { origin, port, host } }
}

/**
 * Where browsers come from this machine only, nobody else need get through.
 *
 * @param {URL} origin
 */
function hostFor({ hostname }) {
  if (hostname === '[::1]') return '::1'
  return isLoopback(hostname) ? '127.0.0.1' : '0.0.0.0'
}

/**
 * @param {URL} origin
 * @param {string} host
 * @returns {string | undefined} the setting by which others than this machine's users reach the server
 */
function whoElseComes(origin, host) {
  if (!isLoopback(origin.hostname)) return `ADMIN_ORIGIN is ${origin.origin}`
  return host === '::1' || isLoopback(host) ? undefined : `HOST is ${host}`
}

/** @param {string} setting */
function demoInPublic(setting) {
  return `ADMIN_DEMO_USERS is set, and ${setting}, where others than this machine's users come: each of them could sign in, without a password. Unset ADMIN_DEMO_USERS; or set ADMIN_DEMO_PUBLIC=1 if that is what you want.`
}

/**
 * @param {string | undefined} value
 * @returns {URL | string} or what is wrong
 */
function readOrigin(value) {
  if (!value) return `ADMIN_ORIGIN is not set. Set it to ${EXAMPLE}: forms and buttons work only from pages of that origin.`
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.origin !== value || !/^https?:$/.test(url.protocol)) {
    return `ADMIN_ORIGIN is ${JSON.stringify(value)}. Expected ${EXAMPLE}: with http or https, without a path or a slash at its end.`
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return `ADMIN_ORIGIN is ${JSON.stringify(value)}. Sessions need https, except on this machine itself (http://localhost:3000).`
  }
  return url
}

/** @param {string} hostname */
function isLoopback(hostname) {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/**
 * @param {string | undefined} value
 * @returns {number | string} or what is wrong
 */
function readPort(value = '3000') {
  const port = Number(value)
  return /^\d+$/.test(value) && port <= 65_535 ? port : `PORT is ${JSON.stringify(value)}. Expected a number up to 65535.`
}

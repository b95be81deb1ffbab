import { PermanentError } from '@sidelinja/jobs-core'
import { maskUrl } from '../http/mask-url.ts'

/** The address is not one that is fetched. Says nothing of what a name leads to, nor whether anything answers there. */
export function addressRefused(url: URL, why: string): PermanentError {
  return new PermanentError(
    'ADDRESS_REFUSED',
    `${maskUrl(url)} is not fetched: ${why}. Expected a page of the public internet, http or https, on port 80 or 443, without user and password.`,
  )
}

export function tooManyRedirects(url: URL, most: number): PermanentError {
  return new PermanentError(
    'TOO_MANY_REDIRECTS',
    `${maskUrl(url)} sends on more than ${most} times. Open the page in a browser, and use the address it ends at.`,
  )
}

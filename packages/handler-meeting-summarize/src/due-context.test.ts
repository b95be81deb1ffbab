import { expect, test } from 'vitest'
import { isAllThatIsSaid } from './due-context.ts'

test.each([
  ['innen fredag', 'Jonas, kan du hente inn tre tilbud på årene innen fredag?'],
  ['før 15. januar', 'Og Selma må huske å søke kommunen om støtte før 15. januar.'],
  ['innen fredag', 'Vi snakket om taket, og Jonas svarer innen fredag. Neste uke er det møte.'],
  ['i morgon', 'Olav skal køyre bøkene til skulen i morgon.'],
  ['den 10.12.', 'Send det den 10.12., takk'],
])('all that is said: %s', (quote, text) => expect(isAllThatIsSaid(quote, text)).toBe(true))

test.each([
  ['innen fredag', 'Jonas gjør det innen fredag neste uke'],
  ['før fredag', 'Jonas gjør det, men ikke før fredag'],
  ['fredag', 'Jonas gjør det fredag om to uker'],
  ['fredag', 'Jonas gjør det annakvar fredag'],
  ['fredag', 'ikke senere enn fredag'],
  ['15. januar', 'innen to dager før 15. januar'],
  ['før 15. januar', 'innen to dager før 15. januar'],
  ['mandagen', 'den første mandagen i februar'],
  ['mandag', 'mandag i mars'],
  ['fredag', 'fredag åtte dager'],
  ['fredag', 'fredag i uke 3'],
  ['15. januar', '15. januar 28'],
  ['den 2.1', 'den 2.1 millioner'],
  ['på fredag', 'om en uke på fredag'],
  ['innen fredag', 'innen torsdag'],
  ['innen fredag', 'innen fredag. Det vil si innen fredag neste uke.'],
  ['', 'innen fredag'],
])('less: %s of %s', (quote, text) => expect(isAllThatIsSaid(quote, text)).toBe(false))

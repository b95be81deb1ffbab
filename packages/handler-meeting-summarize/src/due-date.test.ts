import { describe, expect, test } from 'vitest'
import { dueDate } from './due-date.ts'

/** A Tuesday. */
const meeting = '2026-12-01'

describe('a day that is certain', () => {
  test.each([
    ['i dag', '2026-12-01'],
    ['i morgen', '2026-12-02'],
    ['seinast i morgon', '2026-12-02'],
    ['i overmorgen', '2026-12-03'],
    ['innen fredag', '2026-12-04'],
    ['på laurdag', '2026-12-05'],
    ['til tysdag', '2026-12-08'],
    ['før fredag', '2026-12-03'],
    ['fredag neste uke', '2026-12-11'],
    ['måndag i neste veke', '2026-12-07'],
    ['om tre dager', '2026-12-04'],
    ['om fjorten dagar', '2026-12-15'],
    ['om ei veke', '2026-12-08'],
    ['om 2 uker', '2026-12-15'],
    ['om en måned', '2027-01-01'],
    ['innen utgangen av uka', '2026-12-06'],
    ['i løpet av neste veke', '2026-12-13'],
    ['innan utgangen av månaden', '2026-12-31'],
    ['innen utgangen av neste måned', '2027-01-31'],
    ['15. desember', '2026-12-15'],
    ['innen 15. mars', '2027-03-15'],
    ['fredag 4. desember', '2026-12-04'],
    ['den 10.12.', '2026-12-10'],
    ['10.1.2027', '2027-01-10'],
    ['2026-12-24', '2026-12-24'],
    ['fredag klokka 10.30', '2026-12-04'],
    ['i morgen tidlig', '2026-12-02'],
    ['før 15. januar', '2027-01-14'],
  ])('%s', (said, day) => expect(dueDate(said, meeting)).toBe(day))

  test('a month later may be shorter', () => expect(dueDate('om en måned', '2026-01-31')).toBe('2026-02-28'))
})

describe('one that would have to be guessed', () => {
  test.each([
    ...[
      'snart',
      'neste uke',
      'neste fredag',
      'etter jul',
      'i uke 50',
      'før neste møte',
      'over nyttår',
      'om en ukes tid',
      'så fort som mulig',
    ],
    ...[
      'ikke før fredag',
      'etter fredag',
      'før fredag klokka tolv',
      'torsdag eller fredag',
      'i dag eller i morgen',
      'omtrent om to uker',
      'hver fredag',
      'fredag om to uker',
    ],
    ...[
      'torsdag 4. desember',
      '31. februar',
      '32.1.',
      'klokka ti',
      'kl. 10.10',
      'kl 12.30',
      '1. desember 2025',
      '2025-01-01',
      'fredagsmøtet',
    ],
    ...[
      ...[
        'første fredag i januar',
        'siste fredag i måneden',
        'torsdag i neste måned',
        'fredag i uke 3',
        'fredag neste år',
        'mandag i mars',
      ],
      ...['den første mandagen i februar', 'fredag åtte dager', 'fredag før lunsj', 'før klokka tolv på fredag', 'i morgen før lunsj'],
      ...['to dager før 15. januar', 'en uke før 15. januar', '15.1.28', '15. januar 28', '1.12.25', 'sist fredag', 'forrige fredag'],
      ...[
        'fredag forrige uke',
        '15. januar i fjor',
        'ikke på fredag',
        'fra fredag',
        'på fredag tidligst',
        'annakvar fredag',
        'klokka 10.12',
      ],
      ...['versjon 2.1', '1.2 millioner', 'den 3. marked', 'før utgangen av måneden', 'om en uke på fredag', 'fredag neste måned', '10.12'],
      '',
    ],
  ])('%s', (said) => expect(dueDate(said, meeting)).toBeNull())
})

test('never a day before the meeting, nor one that does not exist, whatever is said', () => {
  const words = [
    'før',
    'innen',
    'om',
    'to',
    '31.',
    '12.',
    'fredag',
    'neste',
    'uke',
    'i dag',
    'i morgen',
    'feb',
    'måned',
    'utgangen av',
    '2.3',
  ]
  const phrases = words.flatMap((a) => words.flatMap((b) => words.map((c) => `${a} ${b} ${c}`)))
  const days = phrases.flatMap((said) => ['2027-12-31', '2028-02-29'].flatMap((on) => ({ on, day: dueDate(said, on) })))
  const wrong = days.filter(({ on, day }) => day !== null && (day < on || new Date(day).toISOString().slice(0, 10) !== day))
  expect([wrong, days.some(({ day }) => day !== null)]).toEqual([[], true])
})

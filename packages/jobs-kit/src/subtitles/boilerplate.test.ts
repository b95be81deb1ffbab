import { expect, test } from 'vitest'
import { isBoilerplate } from './boilerplate.ts'

test.each([
  ...['Takk for at du så på.', 'TAKK FOR AT DERE SER PÅ!', 'Takk for meg.', 'Teksting av Nicolai Winther', 'Undertekster av Ai-Media'],
  ...[
    'Tekstet av Nils – Scandinavian Text Service 2018',
    'Thanks for watching!',
    'Thank you so much for watching',
    'Subtitles by the Amara.org community',
  ],
  ...[
    'Please like and subscribe!',
    'Untertitel im Auftrag des ZDF, 2017',
    'Sous-titrage ST 501',
    'Tack för att ni tittade',
    'Husk å abonnere på kanalen',
  ],
])('invented where nobody spoke: %s', (text) => {
  expect(isBoilerplate(text)).toBe(true)
})

test.each([
  'Hei',
  'Takk.',
  'Takk for maten',
  'Takk for at du såg det',
  'Teksten av loven',
  'Vi har sett på tekstingen',
  'thank you',
  '',
  'Thanks for watching! '.repeat(20),
])('said by people: %s', (text) => {
  expect(isBoilerplate(text)).toBe(false)
})

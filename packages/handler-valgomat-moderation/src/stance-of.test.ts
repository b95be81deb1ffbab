import { expect, test } from 'vitest'
import { mayTakeSameSide } from './stance-of.ts'

test.each([
  ['Skolen på Nes bør beholdes.', 'Skolen på Nes bør legges ned.', false],
  ['Skolen på Nes bør beholdes.', 'Skolen på Nes bør ikke legges ned.', true],
  ['Skolen på Nes bør ikke legges ned.', 'Skolen på Nes bør bevares.', true],
  ['Er det ikke på tide å rive gymsalen?', 'Gymsalen bør ikke rives.', true],
  ['Skal vi la dem rive gymsalen?', 'Gymsalen bør ikke rives.', false],
  ['Skulen bør haldast open.', 'Skulen bør leggjast ned.', false],
  ['Skattane må aukast!', 'Eigedomsskatten bør senkast.', false],
  ['Vi trenger flere lærere nå!', 'Kommunen bør ha færre lærere.', false],
  ['Bompengene må vekk!', 'Bompengene bør fjernes.', true],
  ['Vindkraft bør forbys på Høgfjellet.', 'Vindkraft bør tillates på Høgfjellet.', false],
  ['Vindkraft bør forbys på Høgfjellet.', 'Vindkraft bør ikke tillates på Høgfjellet.', true],
  ['Er du mot salg av skogen?', 'Er du for salg av skogen?', false],
  ['Bør vi beholde skolen og rive gymsalen?', 'Skolen bør rives.', true],
  ['Skattane bør aukast no!', 'Skattane bør aukast.', true],
  ['There should be no tolls.', 'There should be tolls.', false],
  // Words that only begin like one of them, or hold one.
  ['Økonomien er viktig for skolen.', 'Økonomien i skolen bør ses på.', true],
])('%s / %s: %s', (one, other, same) => {
  expect([mayTakeSameSide(one, other), mayTakeSameSide(other, one)]).toEqual([same, same])
})

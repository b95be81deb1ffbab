import { expect, test } from 'vitest'
import { addsFacts } from './adds-facts.ts'

const source = {
  quotes: ['han skal ha to tabletter på fredag'],
  said: ['Ola var her, og han skal ha to tabletter på fredag'],
  names: ['Kari Nes'],
}

test.each([
  ['Gi 2 tabletter fredag.', false],
  ['Gi Ola tabletter.', false],
  ['Gi 20 tabletter.', true],
  ['Gi tabletter på torsdag.', true],
  ['Gi Per tabletter.', true],
  ['Kari gir tabletter.', true],
])('%s', (text, isAdded) => expect(addsFacts(text, source)).toBe(isAdded))

import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { nodeProblem } from './node-problem.ts'

test.each(['22.18.0', '22.21.1', '24.0.0', '100.0.0'])('Node %s will do', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})

test.each(['16.20.2', '20.20.2', '22.17.1'])('Node %s is too old', (version) => {
  expect(nodeProblem(version)).toContain(`Node 22.18 or newer is needed, and this is Node ${version} (`)
})

test('package.json asks for the same', () => {
  const { node } = manifest.engines
  expect(node).toMatch(/^>=\d+\.\d+$/)
  expect(nodeProblem(`${node.slice(2)}.0`)).toBeUndefined()
})

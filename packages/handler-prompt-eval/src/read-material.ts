import { createHash } from 'node:crypto'
import { PermanentError } from '@sidelinja/jobs-core'
import type { CollectionSettings, Collections } from '@sidelinja/jobs-kit'
import { z } from 'zod'
import { type TestCase, testCase } from './assertions.ts'
import { fillIn, plainAssertions, plainType } from './grade.ts'
import type { Payload } from './job.ts'
import { render } from './template.ts'

const mostCells = 500
const mostCalls = 2_000
const mostPrompt = 20_000
const mostTestsText = 2_000_000

/** What is evaluated. */
export interface Material {
  readonly prompt: string
  readonly system: string | undefined
  readonly tests: readonly TestCase[]
  /** Null: no assertion needs one. */
  readonly judgeModel: string | null
  readonly promptHash: string
}

/**
 * Reads prompt and tests, and tries all that could be wrong with them before anything is paid for.
 * @throws PermanentError `EVALUATION_INVALID`, `PROMPT_TEMPLATE_INVALID`, `NODE_NOT_IN_COLLECTION`
 */
export async function readMaterial(
  collections: Collections,
  { collectionNodeId, payload, settings }: { collectionNodeId: string; payload: Payload; settings: CollectionSettings },
): Promise<Material> {
  const { system, promptNodeId, testsNodeId } = payload
  const prompt = payload.prompt ?? (await contentOf(collections, collectionNodeId, promptNodeId, mostPrompt))
  const tests = payload.tests ?? parseTests(await contentOf(collections, collectionNodeId, testsNodeId, mostTestsText))
  for (const test of tests) tryTest(test, { prompt, system })
  if (payload.models.length === 1 && tests.some(isContest)) throw invalid('expected more than one model where select-best is to choose')
  const judgeModel = checkSize(tests, payload, payload.judgeModel ?? settings.models.reasoning)
  return { prompt, system, tests, judgeModel, promptHash: hashOf([system ?? null, prompt]) }
}

/** SHA-256 of texts. */
export function hashOf(texts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** True for a test whose outputs are compared with each other. */
export function isContest({ assert }: TestCase): boolean {
  return assert.some(({ type }) => type === 'select-best')
}

async function contentOf(collections: Collections, collectionNodeId: string, nodeId = '', most: number): Promise<string> {
  const content = (await collections.readNode(collectionNodeId, nodeId)).content ?? ''
  if (content.trim() !== '' && content.length <= most) return content
  throw invalid(
    `expected node ${nodeId} to have a content of 1 … ${most} characters, got ${content.trim() === '' ? 'none' : content.length}`,
  )
}

function parseTests(content: string): TestCase[] {
  const parsed = z.array(testCase).min(1).max(mostCells).safeParse(jsonOf(content))
  if (parsed.success) return parsed.data
  throw invalid(`expected a JSON list of tests, got: ${z.prettifyError(parsed.error).replace(/\s+/g, ' ').slice(0, 500)}`)
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return 'text that is no JSON'
  }
}

function tryTest(test: TestCase, { prompt, system }: Pick<Material, 'prompt' | 'system'>): void {
  for (const template of [prompt, system ?? '']) render(template, test.vars, 'prompt')
  for (const each of test.assert) for (const one of each.type === 'assert-set' ? each.assert : [each]) fillIn(one, test.vars)
}

function checkSize(tests: readonly TestCase[], { models, repeat }: Payload, judgeModel: string): string | null {
  const cells = tests.length * models.length * repeat
  if (cells > mostCells) throw invalid(`expected at most ${mostCells} cells (tests × models × repeat), got ${cells}`)
  const counted = tests.flatMap(plainAssertions).map(({ type }) => plainType(type))
  const count = (...types: string[]) => counted.filter((type) => types.includes(type)).length
  const [each, together] = [count('llm-rubric', 'factuality', 'similar'), count('select-best')]
  const calls = cells + (each * models.length + together) * repeat
  if (calls > mostCalls) throw invalid(`expected at most ${mostCalls} calls with those of the judge and for vectors, got ${calls}`)
  const judged = count('llm-rubric', 'factuality', 'select-best')
  if (judged > 0 && models.includes(judgeModel)) {
    throw invalid(`expected a judge that is none of the models, got ${JSON.stringify(judgeModel)}: name another one as judgeModel`)
  }
  return judged > 0 ? judgeModel : null
}

function invalid(problem: string): PermanentError {
  return new PermanentError(
    'EVALUATION_INVALID',
    `${problem[0]?.toUpperCase()}${problem.slice(1)}. Nothing was asked. Correct it, then enqueue the job anew.`,
  )
}

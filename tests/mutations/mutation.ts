/** A guard taken away. */
export interface Mutation {
  name: string
  edits: readonly Edit[]
  /** At least one of these must fail then. */
  tests: readonly NamedTest[]
}

export interface Edit {
  file: string
  /** Stands in the file one time. */
  search: string
  replace: string
}

export interface NamedTest {
  file: string
  /** The test's own name, or a part of it. */
  name: string
}

export const core = 'packages/jobs-core'

export function edit(file: string, search: string, replace: string): Edit {
  return { file, search, replace }
}

/** A test of jobs-core against a database. */
export function test(file: string, name: string): NamedTest {
  return { file: `${core}/test/${file}`, name }
}

/**
 * The text with the edit made.
 * @throws Error when what it looks for is not there one time: the source has changed, and the mutation must follow.
 */
export function applyEdit(text: string, { file, search, replace }: Edit): string {
  const times = text.split(search).length - 1
  if (times === 1) return text.replace(search, () => replace)
  throw new Error(`${file} holds what a mutation looks for ${times} times instead of once: ${search}`)
}

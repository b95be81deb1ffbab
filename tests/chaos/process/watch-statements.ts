import pg from 'pg'

export interface Statement {
  /** Empty for one that is not prepared. */
  name: string
  text: string
  values: readonly unknown[]
}

export type Answer = { rows?: readonly Record<string, unknown>[] } | undefined

/** Told about every statement of this process. */
export interface StatementListener {
  /** Before anything is sent. */
  before(statement: Statement): void
  /** After it was handed to the socket, before there can be an answer. */
  sent(statement: Statement): void
  /** When the answer is there, before whoever asked sees it. */
  answered(statement: Statement, answer: Answer): void
}

type Done = (error: unknown, result: unknown) => void
type Query = (this: unknown, ...given: unknown[]) => unknown

/** Listens at the driver, so that the product needs no hooks: its statements carry names. */
export function watchStatements(listener: StatementListener): void {
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  client.query = function (...given) {
    const statement = describe(given)
    if (statement === undefined) return original.apply(this, given)
    listener.before(statement)
    const position = given.findIndex((value) => typeof value === 'function')
    if (position >= 0) {
      const done = given[position] as Done
      given[position] = ((error, result) => {
        if (!error) listener.answered(statement, result as Answer)
        done(error, result)
      }) satisfies Done
    }
    const returned = original.apply(this, given)
    process.nextTick(() => listener.sent(statement))
    if (position >= 0) return returned
    return (returned as Promise<Answer>).then((answer) => {
      listener.answered(statement, answer)
      return answer
    })
  }
}

/** Undefined for what is no plain statement, such as a cursor. */
function describe([what, values]: readonly unknown[]): Statement | undefined {
  if (typeof what === 'string') return { name: '', text: what, values: Array.isArray(values) ? values : [] }
  const { name = '', text, values: own } = what as { name?: string; text?: string; values?: unknown[] }
  return text === undefined ? undefined : { name, text, values: own ?? (Array.isArray(values) ? values : []) }
}

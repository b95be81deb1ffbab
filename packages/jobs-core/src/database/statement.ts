import { type RawBuilder, sql } from 'kysely'
import { compiler } from './compiler.ts'

/** A bound statement. The shape is what `pg` takes; `name` lets PostgreSQL keep its plan. */
export interface NamedQuery<Row> {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
  /** Only in the types: what a row looks like. */
  readonly row?: Row
}

export type Statement<Params, Row> = (params: Params) => NamedQuery<Row>

/**
 * Makes a statement that is compiled at its first use and then only bound: the hot path builds no SQL. `build` places parameters
 * by name; each gets one number however often it stands in the text.
 */
export function statement<Params extends object, Row>(
  name: string,
  build: (param: (key: keyof Params & string) => RawBuilder<unknown>) => RawBuilder<unknown>,
): Statement<Params, Row> {
  let text: string | undefined
  const order: (keyof Params & string)[] = []
  const param = (key: keyof Params & string) => {
    if (!order.includes(key)) order.push(key)
    return sql.raw(`$${order.indexOf(key) + 1}`)
  }
  return (params) => {
    if (text === undefined) {
      text = build(param).compile(compiler()).sql
      names.set(text, name)
    }
    return { name, text, values: order.map((key) => params[key]) }
  }
}

/** Compiled statements by their text: as many as there are in the source. */
const names = new Map<string, string>()

/** The name of a statement that was compiled here; undefined for any other text. */
export function nameOfStatement(text: string): string | undefined {
  return names.get(text)
}

import { visibleText } from './format/visible-text.ts'

/** A stack as it is shown. */
export interface StackParts {
  /** Lines of the application's own code. */
  own: readonly string[]
  /** Everything. */
  all: string
}

/** Puts the application's own frames first: what is neither Node's nor a package's. Pure. */
export function splitStack(stack: string): StackParts {
  const all = visibleText(stack)
  const frames = all.split('\n').filter((line) => /^\s*at /.test(line))
  return { own: frames.filter((line) => !/node:|node_modules|<anonymous>|\bnative\b/.test(line)).map((line) => line.trim()), all }
}

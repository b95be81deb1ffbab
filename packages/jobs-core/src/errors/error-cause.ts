import type { ErrorDescription } from './describe-error.ts'

/** Frames that are looked at: what called them differs from job to job. */
const frames = 2
const maxLength = 500

/**
 * What errors with the same cause have in common, as a short text: the code, the message without numbers, ids, names in quotes and addresses, and
 * where it was thrown, without line numbers, so that a new version of the program does not split a group.
 */
export function errorCause({ code, message, stack }: ErrorDescription): string {
  return [code ?? '', withoutDetails(message), ...thrownIn(stack)].join('\n').slice(0, maxLength)
}

function withoutDetails(message: string): string {
  return message
    .slice(0, 2_000)
    .replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi, '<address>')
    .replace(/"[^"\n]{0,300}"|'[^'\n]{0,300}'|«[^»\n]{0,300}»/g, '<name>')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/(?:[\w.-]+)?(?:\/[\w.@-]+){2,}/g, '<path>')
    .replace(/\b(?=[a-z]*\d)[0-9a-f]{8,}\b/gi, '<id>')
    .replace(/\d+(?:[.,:]\d+)*/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
}

function thrownIn(stack: string | null): string[] {
  const lines = (stack ?? '')
    .slice(0, 8_000)
    .split('\n')
    .filter((line) => /^\s{0,20}at /.test(line) && !/node_modules|node:/.test(line))
  return lines.slice(0, frames).map((line) => line.replace(/\(?(?:file:\/\/)?(?:[^\s()]*\/)?([^\s()/:]+):\d+:\d+\)?/, '$1').trim())
}

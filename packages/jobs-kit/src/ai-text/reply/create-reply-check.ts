import { keepOnlyLinksOf } from '../source/keep-only-links-of.ts'
import { isBlank } from './is-blank.ts'

/** Takes a reply apart against its source, and counts what it does not take. */
export interface ReplyCheck {
  /** What was left out, by kind. */
  readonly dropped: Readonly<Record<string, number>>
  /** Counts one more that was left out. */
  drop(kind: string): void
  /** What `check` makes of each item; undefined leaves it out and counts it. */
  keep<Item, Kept>(kind: string, items: readonly Item[], check: (item: Item) => Kept | undefined): Kept[]
  /** The text without links that the source does not have, and without blanks around it. */
  plain(text: string): string
  /** The same; undefined where nothing is left that says something. */
  told(text: string): string | undefined
}

/** For one reply: takes nothing on trust that can be looked up. */
export function createReplyCheck(source: string): ReplyCheck {
  const dropped: Record<string, number> = {}
  const drop = (kind: string) => {
    dropped[kind] = (dropped[kind] ?? 0) + 1
  }
  const plain = (text: string) => keepOnlyLinksOf(text, source).trim()
  return Object.freeze({
    dropped,
    drop,
    keep: <Item, Kept>(kind: string, items: readonly Item[], check: (item: Item) => Kept | undefined) =>
      items.flatMap((item) => {
        const kept = check(item)
        if (kept === undefined) drop(kind)
        return kept === undefined ? [] : [kept]
      }),
    plain,
    told(text: string) {
      const left = plain(text)
      return isBlank(left) ? undefined : left
    },
  })
}

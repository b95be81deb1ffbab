/**
 * One round of putting partial results together: their indexes, in order, in groups that fit into one question each. There are always fewer groups than
 * partials, so that rounds come to an end: a group has two, even if these are too much. A group of one goes on to the next round as it is.
 */
export function planReduce(tokens: readonly number[], budgetTokens: number): number[][] {
  const groups: { indexes: number[]; tokens: number }[] = []
  for (const [index, size] of tokens.entries()) {
    const last = groups.at(-1)
    if (last && (last.indexes.length < 2 || last.tokens + size <= budgetTokens)) {
      last.indexes.push(index)
      last.tokens += size
    } else {
      groups.push({ indexes: [index], tokens: size })
    }
  }
  return groups.map(({ indexes }) => indexes)
}

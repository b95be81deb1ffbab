import { needsSplit } from './explain-refusal.ts'

/** How a long question becomes several. */
export interface InParts<Part, Reply> {
  /** The first cut, by what is known beforehand. */
  readonly parts: readonly Part[]
  /** A part in two or more; itself alone where it cannot be parted. */
  readonly halve: (part: Part) => readonly Part[]
  /** Asks about one part; `name` is another one for each: `1`, `2`, `2-1`, `2-2` … */
  readonly ask: (part: Part, name: string) => Promise<Reply>
}

/** Seven halvings make 128 of one. */
const mostHalvings = 7

/**
 * Asks about each part in turn. A part that turns out too long for the model, or whose reply does not fit into its room, is halved and asked again; what was
 * paid for is kept.
 * @returns the replies in order, each with the part it is about; together they cover everything.
 * @throws what `ask` throws, also that something is too long when it cannot be parted any more.
 */
export async function askInParts<Part, Reply>({ parts, halve, ask }: InParts<Part, Reply>): Promise<{ part: Part; reply: Reply }[]> {
  const replies: { part: Part; reply: Reply }[] = []
  const askHalving = async (part: Part, name: string, halvings: number): Promise<void> => {
    try {
      replies.push({ part, reply: await ask(part, name) })
    } catch (error) {
      const halves = needsSplit(error) && halvings < mostHalvings ? halve(part) : []
      if (halves.length < 2) throw error
      for (const [index, half] of halves.entries()) await askHalving(half, `${name}-${index + 1}`, halvings + 1)
    }
  }
  for (const [index, part] of parts.entries()) await askHalving(part, String(index + 1), 0)
  return replies
}

/** Tokens of four characters, which is how the stand-in counts. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Whisper reads at most 224 tokens of a prompt, and Norwegian names take several each; what is over is cut at a name. */
const maxNamesLength = 600
const maxBeforeLength = 200

/** As many of the names as fit, each once, separated by commas. */
export function joinNames(names: readonly string[]): string {
  let joined = ''
  for (const name of new Set(names.map(oneLine))) {
    if (name === '') continue
    const longer = joined === '' ? name : `${joined}, ${name}`
    if (longer.length > maxNamesLength) break
    joined = longer
  }
  return joined
}

/** The end of what was said before, from the beginning of a word. */
export function endOf(text: string): string {
  const line = oneLine(text)
  if (line.length <= maxBeforeLength) return line
  return line.slice(-maxBeforeLength).replace(/^\S*\s/, '')
}

/** Names and what was said before in one text, for servers that have no place of their own for names. */
export function asPrompt(names: string, before: string): string {
  return [names && `${names}.`, before].filter(Boolean).join(' ')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

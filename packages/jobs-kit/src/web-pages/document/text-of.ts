import type { DomNode } from './dom.ts'

/** Separates words, lines or paragraphs. */
type Gap = 0 | 1 | 2 | 3
const separators = ['', ' ', '\n', '\n\n'] as const

const unseen = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'head',
  'title',
  'iframe',
  'object',
  'canvas',
  'select',
  'textarea',
  'button',
])
const lines = new Set(['br', 'li', 'tr', 'dt', 'dd', 'option', 'summary', 'figcaption'])
const cells = new Set(['td', 'th'])
const paragraphs = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'details',
    'dialog',
    'div',
    'dl',
    'fieldset',
    'figure',
    'footer',
    'form',
    'header',
    'hgroup',
    'hr',
  ],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'table', 'ul'],
])

/** A text, and how much of it is left out at its end. */
export interface ReadText {
  readonly text: string
  readonly cutCharacters: number
}

/** How much of a text is wanted. */
export interface TextBounds {
  readonly maxCharacters: number
  /** Whether what is beyond is counted; otherwise the walk ends there. */
  readonly countRest?: boolean
  /** Elements below it that are left out, besides those that nobody sees. */
  readonly without?: ReadonlySet<string>
}

/**
 * The text below a node as one sees it: paragraphs with a blank line between them, lines of lists and tables by themselves. Walks without recursion, so that no depth is too deep.
 */
export function textOf(root: DomNode, { maxCharacters, countRest = false, without = new Set() }: TextBounds): ReadText {
  let text = ''
  let cutCharacters = 0
  let gap: Gap = 0
  for (const node of walk(root, (name) => unseen.has(name) || without.has(name))) {
    gap = wider(gap, gapOf(node))
    if (node.nodeType !== 3) continue
    const words = (node.textContent ?? '').replace(/\s+/g, ' ')
    if (words.startsWith(' ')) gap = wider(gap, 1)
    if (words.trim() === '') continue
    const piece = `${text === '' ? '' : separators[gap]}${words.trim()}`
    const kept = piece.slice(0, maxCharacters - text.length)
    text += kept
    cutCharacters += piece.length - kept.length
    if (!countRest && text.length >= maxCharacters) break
    gap = words.endsWith(' ') ? 1 : 0
  }
  return { text: text.toWellFormed(), cutCharacters }
}

function wider(one: Gap, other: Gap): Gap {
  return one > other ? one : other
}

function gapOf({ localName = '' }: DomNode): Gap {
  if (paragraphs.has(localName)) return 3
  if (lines.has(localName)) return 2
  return cells.has(localName) ? 1 : 0
}

/** Every element when it begins and when it ends, every text once. */
function* walk(root: DomNode, isLeftOut: (name: string) => boolean): Generator<DomNode> {
  let node: DomNode | null = root
  while (node !== null) {
    yield node
    if (node.firstChild !== null && (node === root || !isLeftOut(node.localName ?? ''))) {
      node = node.firstChild
      continue
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode
      if (node !== null) yield node
    }
    if (node === null || node === root) return
    yield* node.nodeType === 1 ? [node] : []
    node = node.nextSibling
  }
}

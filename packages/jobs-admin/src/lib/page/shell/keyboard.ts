import { goto } from '$app/navigation'
import type { Ui } from '../ui.svelte.ts'

/** What keys reach. */
export interface KeyContext {
  root: HTMLElement
  ui: Ui
  help: () => void
}

/** `g` waits so long for the key after it. */
const sequenceMs = 1_000
let wentAt = Number.NEGATIVE_INFINITY

/** Single keys: never while somebody writes, and never with a modifier. Rows are what has `data-row`; a row's first link has the focus. */
export function handleKey(event: KeyboardEvent, context: KeyContext): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isWriting(event.target)) return
  const afterG = performance.now() - wentAt < sequenceMs
  wentAt = Number.NEGATIVE_INFINITY
  const places: Record<string, string> = { j: '', o: 'overview', e: 'errors' }
  if (afterG && places[event.key] !== undefined) {
    event.preventDefault()
    void goto(context.ui.href(places[event.key] ?? ''))
    return
  }
  if (keys[event.key]?.(context)) event.preventDefault()
}

/** Each says whether it did something. */
const keys: Readonly<Record<string, (context: KeyContext) => boolean>> = {
  g: () => {
    wentAt = performance.now()
    return true
  },
  '/': ({ root }) => focus(root.querySelector<HTMLElement>('[data-key="search"]')),
  j: ({ root }) => move(root, 1),
  k: ({ root }) => move(root, -1),
  x: ({ root }) => click(currentRow(root)?.querySelector<HTMLElement>('input[type="checkbox"]')),
  r: ({ root }) => click((currentRow(root) ?? root).querySelector<HTMLElement>('[data-key="retry"]')),
  c: ({ root }) => click((currentRow(root) ?? root).querySelector<HTMLElement>('[data-key="cancel"]')),
  p: ({ ui }) => {
    ui.live.paused = !ui.live.paused
    ui.announce(ui.t(ui.live.paused ? 'live.paused' : 'live.live'))
    return true
  },
  '?': ({ help }) => {
    help()
    return true
  },
}

function move(root: HTMLElement, by: number): boolean {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')]
  const row = currentRow(root)
  const at = row ? rows.indexOf(row) + by : by > 0 ? 0 : rows.length - 1
  const next = rows[Math.min(Math.max(at, 0), rows.length - 1)]
  return focus(next?.querySelector<HTMLElement>('a[href]'))
}

function currentRow(root: HTMLElement): HTMLElement | null {
  const focused = document.activeElement
  return root.contains(focused) ? (focused?.closest<HTMLElement>('[data-row]') ?? null) : null
}

function focus(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  return element != null
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click()
  return element != null
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any screen has. */
const mostStops = 250

/** What somebody without a mouse does: moves by Tab to what they want, and presses a key there. At every stop it must be visible where one is. */
export interface Hands {
  /** Goes there, and nothing more. */
  to(target: Locator): Promise<void>
  /** Goes there and presses Enter. */
  enter(target: Locator): Promise<void>
  /** Goes there and presses Space. */
  space(target: Locator): Promise<void>
  /** Goes there and types. */
  type(target: Locator, text: string): Promise<void>
}

/** Takes the mouse away. */
export function handsOnKeyboard(page: Page): Hands {
  const { keyboard } = page
  async function to(target: Locator): Promise<void> {
    for (let stop = 0; stop <= mostStops; stop++) {
      const { there, hidden } = await target.evaluateAll(lookAround)
      expect(hidden).toBeNull()
      if (there) return
      await keyboard.press('Tab')
    }
    throw new Error(`${target} cannot be reached by Tab`)
  }
  const press = (key: string) => async (target: Locator) => {
    await to(target)
    await keyboard.press(key)
  }
  return {
    to,
    enter: press('Enter'),
    space: press('Space'),
    async type(target, text) {
      await to(target)
      await keyboard.type(text)
    },
  }
}

/** Whether the focus is on one of them; and where it is, if nobody could see it there: no outline, or out of sight. Runs in the page. */
function lookAround(targets: Element[]): { there: boolean; hidden: string | null } {
  const element = document.activeElement
  if (element === null || element === document.body || !element.closest('.sj')) return { there: false, hidden: null }
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
  const marked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  const { width, height, bottom, top } = element.getBoundingClientRect()
  const inSight = width > 0 && height > 0 && bottom > 0 && top < window.innerHeight
  // Where a page begins, or a dialog has put the focus, there is nothing to press.
  const isStop = element.matches('a, button, input, select, textarea, summary, [tabindex="0"]')
  return { there: targets.includes(element), hidden: !isStop || (marked && inSight) ? null : element.outerHTML.slice(0, 160) }
}

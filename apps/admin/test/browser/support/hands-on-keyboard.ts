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
      if (await target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))) return
      await keyboard.press('Tab')
      expect(await hiddenStop(page)).toBeNull()
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

/** Where the focus is, if nobody could see it there: no outline, or out of sight. */
function hiddenStop(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body || !element.closest('.sj')) return null
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const marked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    const { width, height, bottom, top } = element.getBoundingClientRect()
    const inSight = width > 0 && height > 0 && bottom > 0 && top < window.innerHeight
    return marked && inSight ? null : element.outerHTML.slice(0, 160)
  })
}

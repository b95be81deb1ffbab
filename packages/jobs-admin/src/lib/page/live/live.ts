import type { JobsPageData } from '../wire/page-data.ts'
import { createLiveState, type LiveState } from './live-state.svelte.ts'
import { createPoller, type Poller } from './poller.ts'
import { createReading } from './reading.ts'

/** The newest answers, kept new. */
export interface Live extends LiveState {
  /** Begins; returns how to end it. */
  run(): () => void
  /** Something has changed: read again in a moment. */
  soon(): void
}

/** Keeps a screen's answers new. What `load` gave is where it begins, also each time that gives anew, as `reload` makes it. */
export function createLive(data: () => JobsPageData, reload: () => Promise<unknown>): Live {
  const state = createLiveState(data)
  const poll = createReading(data, state, reload)
  let poller: Poller | undefined
  return Object.assign(state, {
    soon: () => poller?.soon(),
    run() {
      poller = createPoller({ poll, isHeld: () => isHeld(state) })
      const clock = setInterval(() => {
        if (document.visibilityState === 'visible') state.now = Date.now() + state.offset
      }, 1_000)
      const wake = () => poller?.wake()
      document.addEventListener('visibilitychange', wake)
      window.addEventListener('online', wake)
      poller.start()
      return () => {
        poller?.stop()
        clearInterval(clock)
        document.removeEventListener('visibilitychange', wake)
        window.removeEventListener('online', wake)
      }
    },
  })
}

/** Nothing is read while nobody looks, or what changes would take something out of somebody's hand. */
function isHeld({ paused, refused, dialogs }: LiveState): boolean {
  return paused || refused !== null || dialogs > 0 || document.visibilityState === 'hidden' || navigator.onLine === false || hasSelection()
}

function hasSelection(): boolean {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.toString() !== ''
}

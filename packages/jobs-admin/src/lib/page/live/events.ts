/** Which rows to hear of, and what to do then. */
export interface EventOptions {
  /** Address of the stream. */
  url: string
  /** Something has changed. */
  onHint: () => void
}

const retryMs = 60_000

/**
 * Listens for hints that something has changed, while the page is looked at. Without them polling tells, so nothing is said where they fail; a browser has few
 * connections to a host, so a page that is not looked at keeps none.
 */
export function listenForHints({ url, onHint }: EventOptions): () => void {
  let stream: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    clearTimeout(retry)
    stream?.close()
    stream = undefined
  }
  const open = () => {
    close()
    if (document.visibilityState === 'hidden') return
    stream = new EventSource(url)
    for (const name of ['jobs', 'new', 'counts']) stream.addEventListener(name, onHint)
    stream.addEventListener('closed', close)
    stream.addEventListener('error', () => {
      if (stream?.readyState !== EventSource.CLOSED) return
      close()
      retry = setTimeout(open, retryMs)
    })
  }
  document.addEventListener('visibilitychange', open)
  open()
  return () => {
    document.removeEventListener('visibilitychange', open)
    close()
  }
}

import type { Attachment } from 'svelte/attachments'
import { applyAction, deserialize } from '$app/forms'
import { goto, refreshAll } from '$app/navigation'
import type { ActionOutcome, ProblemBody } from '../wire/page-data.ts'

/** What is done around sending. */
export interface SendOptions {
  /** Before anything is sent; false: nothing is, since the page does it in another way. */
  before?: () => boolean
  /** After the answer has come and the page is new. */
  onDone?: (outcome: ActionOutcome | undefined) => void
}

const away: ProblemBody = { status: 503, code: 'DATABASE_AWAY', detail: 'No answer came.' }

/**
 * Sends a form in place: the same form action that it has without scripts, with the page kept. SvelteKit's own `enhance` makes an error page of
 * a refusal that is not its own; here every refusal is told in the page.
 */
export function sendForm({ before = () => true, onDone = () => {} }: SendOptions = {}): Attachment<HTMLFormElement> {
  return (form) => {
    let sending = false
    const submit = async (event: SubmitEvent) => {
      event.preventDefault()
      if (sending || !before()) return
      sending = true
      form.setAttribute('aria-busy', 'true')
      const outcome = await send(form, event.submitter).catch((): ActionOutcome => ({ action: '', problem: away }))
      sending = false
      form.removeAttribute('aria-busy')
      onDone(outcome)
    }
    form.addEventListener('submit', submit)
    return () => form.removeEventListener('submit', submit)
  }
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<ActionOutcome | undefined> {
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
  const response = await fetch(new URL(action, location.href), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', 'x-sveltekit-action': 'true' },
    body: new URLSearchParams([...new FormData(form, submitter)].map(([name, value]): [string, string] => [name, String(value)])),
    cache: 'no-store',
  })
  const text = await response.text()
  if (response.headers.get('content-type')?.includes('problem+json')) return refuse(JSON.parse(text) as ProblemBody)
  const result = deserialize(text)
  if (result.type === 'redirect') {
    await goto(result.location, { invalidateAll: true })
    return undefined
  }
  if (result.type === 'error') return refuse(away)
  // Also after a refusal: what is shown was not what is.
  await refreshAll()
  await applyAction(result)
  return (result.data as { jobs?: ActionOutcome } | undefined)?.jobs
}

async function refuse(problem: ProblemBody): Promise<ActionOutcome> {
  const jobs: ActionOutcome = { action: '', problem }
  await applyAction({ type: 'failure', status: problem.status, data: { jobs }, location: location.href })
  return jobs
}

export interface PageJob {
  id: string
  status: string
  collection_node_id: string
  progress: number | null
}

export interface OpenedPage {
  /** By the page's own form; another session ends. */
  signInAs(name: string): Promise<void>
  jobs(): Promise<PageJob[]>
  /** Their names. */
  schedules(): Promise<string[]>
  /** The answer's status. */
  retry(id: string): Promise<number>
}

/** The admin page of `npm start`, as a browser uses it. */
export function openPage(address: string): OpenedPage {
  const { origin } = new URL(address)
  const own = { origin, 'sec-fetch-site': 'same-origin' }
  let cookie = ''

  const read = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(`${address}${path}`, { headers: { ...own, cookie, accept: 'application/json' } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  return {
    async signInAs(name) {
      const page = await (await fetch(origin, { headers: { cookie, accept: 'text/html' } })).text()
      const [, userId = ''] = new RegExp(`<option value="([\\w-]+)"[^>]*>${name}<`).exec(page) ?? []
      const body = new URLSearchParams({ userId, from: 'jobs' })
      const answer = await fetch(`${origin}/?/signIn`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...own, cookie, accept: 'text/html' },
        body,
      })
      if (answer.headers.get('location') !== '/admin/jobs') throw new Error(`${name} cannot sign in: ${answer.status}`)
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    },
    jobs: async () => (await read<{ jobs: PageJob[] }>('?limit=200')).jobs,
    schedules: async () => (await read<{ schedules: { name: string }[] }>('/schedules')).schedules.map(({ name }) => name).toSorted(),
    async retry(id) {
      const headers = { ...own, cookie, 'content-type': 'application/json' }
      return (await fetch(`${origin}/intentions/retry_job`, { method: 'POST', headers, body: JSON.stringify({ job_id: id }) })).status
    },
  }
}

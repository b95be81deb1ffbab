/** What is used of a SvelteKit request event. Its own type may be more: `identify` and `authorize` get what the host's hook was given. */
export interface AdminEvent {
  readonly request: Request
  readonly url: URL
  readonly locals: object
  readonly route: { readonly id: string | null }
  /** SvelteKit's own client asks for a page's data. */
  readonly isDataRequest?: boolean
}

/** A SvelteKit `Handle`, as `hooks.server.ts` exports it and `sequence` takes it. */
export type AdminHandle<Event extends AdminEvent> = (input: {
  event: Event
  resolve: (event: Event) => Promise<Response> | Response
}) => Promise<Response>

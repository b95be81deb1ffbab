import pg from 'pg'

/** A statement as it was sent. */
export interface Sent {
  text: string
  values: unknown[]
}

/** Connections that remember what is sent on them. */
export function recording(sent: Sent[]): object {
  return {
    Client: class extends pg.Client {
      // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads
      override query(...given: any[]): any {
        const [text, values] = given
        if (typeof text === 'string') sent.push({ text, values: Array.isArray(values) ? values : [] })
        else if (typeof text?.text === 'string') sent.push({ text: text.text, values: text.values ?? [] })
        return Reflect.apply(super.query, this, given)
      }
    },
  }
}

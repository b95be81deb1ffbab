import type { Handler } from '../../worker/define-handler.ts'

/** What handlers threw, for whoever wants the error itself and not what is stored of it. */
export interface Thrown {
  /** The same handlers, watched. */
  watched: Handler[]
  thrownBy(run: { id: string; run: number }): unknown
}

export function keepThrown(handlers: readonly Handler[]): Thrown {
  const thrown = new Map<string, unknown>()
  const watched = handlers.map(({ definition, run }) => ({
    definition,
    run: (context: Parameters<Handler['run']>[0]) =>
      run(context).catch((error) => {
        thrown.set(`${context.job.id}:${context.job.run}`, error)
        throw error
      }),
  }))
  return { watched, thrownBy: ({ id, run }) => thrown.get(`${id}:${run}`) }
}

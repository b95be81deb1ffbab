import type { ResultPart } from '@sidelinja/jobs-core/admin'

/** What is there now need not be what this job wrote: says so where another has written it since. */
export function anotherJob(job: { readonly id: string }, jobId: string | null | undefined): ResultPart[] {
  if (jobId == null || jobId === job.id) return []
  return [
    {
      kind: 'note',
      tone: 'warn',
      text: {
        nb: 'En annen jobb har skrevet dette på nytt siden. Her er det som gjelder nå.',
        nn: 'Ein annan jobb har skrive dette på nytt sidan. Her er det som gjeld no.',
        en: 'Another job has written this anew since. Here is what is there now.',
      },
    },
  ]
}

import { type Profile, valgomatGenerateProfile } from '@sidelinja/handler-valgomat-generate-profile/job'
import { listProfiles } from '@sidelinja/jobs-kit/storage'
import { COLLECTION_ID } from '../collection.ts'
import { indent } from '../indent.ts'
import { keepNode, readSample, type Sample } from './sample.ts'

/** Synthetic profiles of two parties that do not exist, one in each written form of Norwegian. */
export const profiles: readonly Sample[] = [
  profile({
    ...{ id: '5a1de11a-0000-4000-8000-000000000031', file: 'bygdelista.txt', party: 'Bygdelista' },
    statements: [
      'Alle barneskolene i kommunen bør beholdes.',
      'Det bør være bompenger på veien over fjellet.',
      'Eiendomsskatten bør økes.',
    ],
  }),
  profile({
    ...{ id: '5a1de11a-0000-4000-8000-000000000032', file: 'fjellpartiet.txt', party: 'Fjellpartiet' },
    statements: ['Sjukeheimen i Fjellbygda bør leggjast ned.', 'Kommunen bør gje tilskot til skogplanting.', 'Alle bør få gratis ski.'],
  }),
]

function profile({ id, file, party, statements }: { id: string; file: string; party: string; statements: readonly string[] }): Sample {
  return {
    ...{ key: file, type: valgomatGenerateProfile.type },
    async prepare(pool) {
      await keepNode(pool, { id, kind: 'programme', title: party, content: await readSample(file) })
      const statementNodeIds = statements.map((_, n) => `${id.slice(0, -4)}${Number(id.slice(-2)) * 10 + n + 1000}`)
      for (const [n, title] of statements.entries()) await keepNode(pool, { id: statementNodeIds[n] ?? '', kind: 'statement', title })
      return { party, programmeNodeId: id, statementNodeIds }
    },
    async show(db) {
      const drafts = await listProfiles(db, COLLECTION_ID, { state: 'draft' })
      const draft = drafts.find(({ programmeNodeId }) => programmeNodeId === id)
      return draft ? describe(draft.content as Profile) : ''
    },
  }
}

function describe({ label, party, stances }: Profile): string {
  const said = stances.map(({ statement, stance, evidence: [first] }) => {
    const where = first ? `: page ${first.page}, “${first.quote.replace(/\s+/g, ' ')}”` : ''
    return indent(`${stance === null ? 'null' : stance > 0 ? `+${stance}` : stance}  ${statement}${where}`)
  })
  return [`\nDraft of a profile: ${party}, not published\n`, indent(label), ...said].join('\n')
}

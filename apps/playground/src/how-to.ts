import { listDownloads, type StorageDatabase } from '@sidelinja/jobs-kit/storage'
import { COLLECTION_ID } from './collection.ts'
import type { PlaygroundDatabase } from './database.ts'
import { demoUsers } from './demo/demo-users.ts'
import { formatTable } from './table.ts'

/** The counts that the sample log comes to. */
export async function countsTable(db: StorageDatabase): Promise<string> {
  const counts = await listDownloads(db, COLLECTION_ID)
  const rows = counts.map(({ episode, day, app, downloads }) => [episode, day, app, downloads])
  const total = counts.reduce((sum, { downloads }) => sum + downloads, 0)
  return `\nDownloads: episode × day × app\n\n${formatTable(['episode', 'day', 'app', 'downloads'], rows)}\n\n${total} downloads\n`
}

export interface HowToOptions {
  state: string
  gatewayUrl: URL
  /** Undefined: it was left out. */
  pageAddress: string | undefined
}

/** What one can do now. */
export function howTo(database: PlaygroundDatabase, { state, gatewayUrl, pageAddress }: HowToOptions): string {
  const url = database.ownServer ? `'${database.connectionString}'` : '"$DATABASE_URL"'
  const lines = [
    `Look around:   psql ${url}`,
    '               select job_type, status, attempts, completed_at, result from job_queue;',
    '               select * from podcast_downloads;',
    "               select start_ms, text from transcription_segments where search @@ websearch_to_tsquery('english', 'council');",
    "               select payload ->> 'mode', result ->> 'text' from job_queue where job_type = 'ai_text_process';",
    "               select title, metadata -> 'clip' ->> 'summary' from nodes where kind = 'research';",
    "               select content ->> 'title', content ->> 'summary' from media_analyses;",
    '               select job_type, question, model_alias, prompt_tokens, completion_tokens, cost_usd, error_code from ai_calls order by id;',
    '               select name, next_at, last_tick_at from job_schedules;',
  ]
  if (database.tcpConnectionString) lines.push(`By TCP:        psql '${database.tcpConnectionString}'`)
  if (database.experimentsConnectionString) {
    lines.push(`Experiments:   an empty database: DATABASE_URL='${database.experimentsConnectionString}'`)
  }
  lines.push(`AI gateway:    the stand-in, until the stop: AI_GATEWAY_URL='${new URL(gatewayUrl).origin}'`)
  if (database.ownServer) {
    lines.push(`Another server: DATABASE_URL=postgres://user:password@host:5432/database npm start`)
    lines.push(`Stop:          Ctrl-C. The data stays in ${state}; delete that folder to begin anew.`)
  } else {
    lines.push('Stop:          Ctrl-C. The data stays in the database.')
  }
  if (pageAddress !== undefined) lines.push(...aboutPage(pageAddress))
  return lines.join('\n')
}

/** Last, where it is not to be missed. */
function aboutPage(address: string): string[] {
  return [
    '',
    `Admin page:    ${address}`,
    `               Sign in, without a password, as ${demoUsers.map(({ name, sees }) => `${name} (${sees})`).join(', ')}. To change: “Bytt bruker”, at the top of each page.`,
    '               One job runs, one waits, one has failed, one is to be tried again: “Prøv på nytt” makes the latter two succeed.',
  ]
}

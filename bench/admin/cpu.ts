import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** Of Linux: clock ticks a second. */
const ticksPerSecond = 100

/** Seconds of processor that the page's connections have used in the database so far; those that were closed are not in it. */
export async function databaseSeconds(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(`select pid from pg_stat_activity where application_name like 'sidelinja-jobs%'`)
  return rows.reduce((sum, { pid }) => sum + secondsOf(pid), 0)
}

function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

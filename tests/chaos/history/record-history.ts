import type { Pool } from 'pg'

/*
 * Triggers of the database under test, not of the product: each change is written down in the transaction that makes it, by the
 * database's clock, so that the record cannot differ from what happened.
 */
const script = `
  create table chaos_changes (
    position bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(),
    job uuid, type text, was_status text, status text, old_run integer, run integer, old_attempts integer, attempts integer,
    max_attempts integer, old_worker uuid, worker uuid, old_scheduled_for timestamptz, scheduled_for timestamptz, started_at timestamptz,
    was_prefetched boolean, rescues integer, priority integer, replaced boolean);
  create table chaos_deaths (worker uuid, lease_expires_at timestamptz, dead_at timestamptz);
  create table chaos_writes (job uuid, run integer);

  create function chaos_note_change() returns trigger language plpgsql as $$
  begin
    insert into chaos_changes (job, type, was_status, status, old_run, run, old_attempts, attempts, max_attempts, old_worker, worker,
      old_scheduled_for, scheduled_for, started_at, was_prefetched, rescues, priority, replaced)
    select new.id, new.job_type, old.status, new.status, coalesce(old.run, 0), new.run, coalesce(old.attempts, 0), new.attempts,
      new.max_attempts, old.worker_id, new.worker_id, coalesce(old.scheduled_for, new.scheduled_for), new.scheduled_for, new.started_at,
      coalesce(
        old.prefetched and not exists (select from job_starts s where s.worker_id = old.worker_id and old.claim <@ s.claims), false),
      new.rescues, new.priority, old.payload is not null and old.payload <> new.payload;
    return null;
  end $$;
  create trigger chaos_note_insert after insert on job_queue for each row execute function chaos_note_change();
  create trigger chaos_note_update after update on job_queue for each row
    when (old.status <> new.status or old.run <> new.run or old.attempts <> new.attempts or old.scheduled_for <> new.scheduled_for
      or old.payload <> new.payload or old.priority <> new.priority) execute function chaos_note_change();

  create function chaos_note_death() returns trigger language plpgsql as $$
  begin
    insert into chaos_deaths values (new.id, old.lease_expires_at, new.dead_at);
    return null;
  end $$;
  create trigger chaos_note_death after update on job_workers for each row
    when (old.dead_at is null and new.dead_at is not null) execute function chaos_note_death();`

/** Lets a migrated database write its own history. */
export async function recordHistory(pool: Pool): Promise<void> {
  await pool.query(script)
}

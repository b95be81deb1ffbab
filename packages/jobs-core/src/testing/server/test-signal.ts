/** Notified whenever jobs were inserted or deleted, or a status changed, once the change is committed. Carries no data: look again. */
export const TEST_CHANNEL = 'job_queue_test_signal'

/**
 * A trigger that only test databases have. It lies in the template, so that no test has to take the lock that making it needs.
 * Per statement: equal notifications of a transaction are sent once, and a test of thousands of jobs pays for few.
 */
export const installTestSignal = `
  create function ${TEST_CHANNEL}() returns trigger language plpgsql as
    $$ begin perform pg_notify('${TEST_CHANNEL}', ''); return null; end $$;
  create trigger ${TEST_CHANNEL} after insert or delete or update of status on job_queue
    for each statement execute function ${TEST_CHANNEL}();`

/** True when the database sends the signal. */
export const hasTestSignal = `select exists (select from pg_trigger where tgname = '${TEST_CHANNEL}') as present`

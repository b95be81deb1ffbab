-- From here to the end of the transaction nobody else reads or writes jobs. Whoever holds the table for longer than the lock timeout
-- makes us let go and try again, so that others never wait behind us.
lock table job_queue in access exclusive mode;

-- Triggers of the host's own fire at once: a change of the table is refused while some are still to come.
set constraints all immediate;

-- Its predicate names status. Those that take its place are made in this transaction.
drop index if exists idx_job_queue_pending;

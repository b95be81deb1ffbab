-- Tenants of minutes; whoever sees a collection may read them.
-- Live systems: the table is locked for an instant.

select secure_handler_table('meeting_minutes');

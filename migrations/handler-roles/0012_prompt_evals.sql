-- Tenants of evaluations; whoever sees a collection may read them.
-- Live systems: the table is locked for an instant.

select secure_handler_table('prompt_evals');

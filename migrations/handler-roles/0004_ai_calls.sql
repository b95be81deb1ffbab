-- Tenants of the table of AI calls.
-- Live systems: the table is locked for an instant.

select secure_handler_table('ai_calls');

-- Tenants of the list of transcripts; whoever sees a collection may read it.
-- Live systems: the table is locked for an instant.

select secure_handler_table('media_transcripts');

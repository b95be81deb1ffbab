-- Tenants of vectors; whoever sees a collection may search it.
-- Live systems: the table is locked for an instant.

select secure_handler_table('node_embeddings');

alter function embedding_vector_schema() owner to queue_owner;
alter function embedding_index_type(integer) owner to queue_owner;
alter function embedding_search_mode() owner to queue_owner;
alter function embedding_index_statements() owner to queue_owner;
alter function nearest_embeddings(uuid, real[], text, integer, double precision, uuid) owner to queue_owner;
revoke all on function embedding_vector_schema(), embedding_index_type(integer), embedding_search_mode(), embedding_index_statements(),
  nearest_embeddings(uuid, real[], text, integer, double precision, uuid) from public;
grant execute on function embedding_vector_schema(), embedding_index_type(integer), embedding_search_mode(),
  nearest_embeddings(uuid, real[], text, integer, double precision, uuid) to queue_worker, queue_web;
grant execute on function embedding_index_statements() to queue_migrator;

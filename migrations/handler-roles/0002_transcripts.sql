-- Tenants of transcripts and subtitle files; whoever sees a collection may read them.
-- Live systems: each of the tables is locked for an instant.

select secure_handler_table('transcription_segments');
select secure_handler_table('media_subtitles');

alter function transcript_search_language(text) owner to queue_owner;
alter function transcript_search_fold(text) owner to queue_owner;
alter function transcript_search_vector(text, text) owner to queue_owner;
alter function transcript_search_query(text, text) owner to queue_owner;
revoke all on function transcript_search_language(text), transcript_search_fold(text), transcript_search_vector(text, text),
  transcript_search_query(text, text) from public;
grant execute on function transcript_search_language(text), transcript_search_fold(text), transcript_search_vector(text, text),
  transcript_search_query(text, text) to queue_worker, queue_web;

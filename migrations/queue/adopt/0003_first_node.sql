-- Only where there are no nodes at all: the collection that was named for jobs without one.
insert into nodes (id, kind, title)
values (current_setting('jobs.adopt_collection')::uuid, 'collection', 'Adopted jobs');

-- A workspace becomes the node of the same id, where there is none. By way of JSON, so that columns which workspaces lacks are null.
insert into nodes (id, kind, title, metadata)
select w.id, 'collection', to_jsonb(w) ->> 'name',
  case when jsonb_typeof(to_jsonb(w) -> 'settings') = 'object' then to_jsonb(w) -> 'settings' else '{}' end
from workspaces w
where not exists (select from nodes n where n.id = w.id);

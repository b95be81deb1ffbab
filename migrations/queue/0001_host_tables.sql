-- The tables of the host application that the queue leans on, made only where the host has none of its own.
-- Live systems: nothing is locked; existing tables are left as they are.

create table if not exists nodes (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  title text,
  content text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table if not exists edges (
  id uuid primary key default gen_random_uuid(),
  source_id uuid not null references nodes (id) on delete cascade,
  target_id uuid not null references nodes (id) on delete cascade,
  kind text not null,
  status text,
  metadata jsonb not null default '{}',
  unique (source_id, target_id, kind)
);

create table if not exists node_access (
  user_id uuid not null,
  node_id uuid not null references nodes (id) on delete cascade,
  role text not null,
  primary key (user_id, node_id)
);

-- Everything the control plane keeps. PostgreSQL and PGlite run the same file, so it uses nothing that only one of them has.
create table guard.settings (name text primary key, value text not null);
-- Counts up with every change that the servers keep in memory: each looks at this one row to know when to read again.
insert into guard.settings (name, value) values ('revision', '1');

create table guard.keys (
  id text primary key,
  sha256 text not null unique,
  scopes text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create table guard.groups (
  name text primary key,
  policy text,
  policy_etag text
);
insert into guard.groups (name) values ('default');

create table guard.bundles (
  version integer primary key,
  digest text not null,
  manifest text not null,
  bytes bytea not null,
  uploaded_at timestamptz not null default now()
);

create table guard.rollouts (
  id integer generated always as identity primary key,
  group_name text not null references guard.groups (name),
  version integer not null references guard.bundles (version),
  percent integer not null check (percent between 0 and 100),
  state text not null check (state in ('running', 'halted')),
  reason text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

create table guard.instances (
  id text primary key,
  key_id text not null,
  name text not null,
  group_name text not null references guard.groups (name),
  version text not null,
  registered_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  bundle_version integer not null default 0,
  policy_etag text,
  signatures integer not null default 0,
  refused_version integer,
  refused_fault text,
  -- Since the bundle in force was taken, so that a new one can be held against the old.
  requests bigint not null default 0,
  blocked bigint not null default 0,
  dropped bigint not null default 0
);
create index instances_of_group on guard.instances (group_name, bundle_version);
create index instances_seen on guard.instances (seen_at);

-- A batch that was counted once is known by its key, and counted no second time.
create table guard.batches (
  id text primary key,
  received_at timestamptz not null default now()
);
create index batches_received on guard.batches (received_at);

create table guard.detections (
  hour timestamptz not null,
  group_name text not null,
  upstream text not null,
  category text not null,
  action text not null,
  signature text not null,
  shadow boolean not null,
  count bigint not null,
  primary key (hour, group_name, upstream, category, action, signature, shadow)
);

create table guard.latencies (
  hour timestamptz not null,
  group_name text not null,
  upstream text not null,
  bucket integer not null,
  count bigint not null,
  primary key (hour, group_name, upstream, bucket)
);

create table guard.checks (
  hour timestamptz not null,
  key_id text not null,
  count bigint not null,
  blocked bigint not null,
  primary key (hour, key_id)
);

-- What a group had requested and blocked when a roll-out began. A new bundle is held against it where no instance is left without it.
alter table guard.rollouts add column requests_before bigint not null default 0;
alter table guard.rollouts add column blocked_before bigint not null default 0;

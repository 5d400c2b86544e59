import type { LimitCheck } from '../../http/rate-limit.ts';
import type { Access } from './access.ts';
import type { Admin } from './admin.ts';
import type { HostedCheck } from './hosted-check.ts';
import type { Database } from './database.ts';
import type { EventStore } from './event-store.ts';
import type { Fleet } from './fleet.ts';
import type { Asked, Reply } from './listen.ts';
import type { Usage } from './usage.ts';

/** What the routes of the control plane work with. */
export interface Parts {
  readonly database: Database;
  readonly access: Access;
  readonly fleet: Fleet;
  readonly admin: Admin;
  readonly events: EventStore;
  readonly usage: Usage;
  /** Null when the hosted check is disabled. */
  readonly hosted: HostedCheck | null;
  readonly limitCheck: LimitCheck;
  readonly limitLogin: LimitCheck;
  readonly clientOf: (asked: Asked) => string;
  readonly heartbeatS: number;
  readonly maxCheckBytes: number;
  readonly version: string;
  readonly page: (file: string) => Reply | null;
  readonly openapi: Buffer;
}

import * as z from 'zod';
import { WIRES } from '../domain/job.ts';
import { LOG_LEVELS } from '../domain/log-level.ts';
import { SCOPES } from '../domain/scope.ts';
import { CATEGORIES } from '../domain/verdict.ts';
import { httpUrl, kinds, network, prefixName, publicKey, storeUrl, text, textThat, whole } from './kinds.ts';
import { policy, policyOfUpstream } from './policy-schema.ts';

/**
 * What may be typed. Descriptions here are the only ones: the editor's schema and docs/configuration.md are made of
 * them. Sections are closed (an unknown key is a problem), and every key but an upstream's `url` has a default.
 */

const RESPONSE_MODES = ['passthrough', 'buffered', 'full'] as const;

const server = z.strictObject({
  host: text(253, 'an address or host name to listen on').default('0.0.0.0').describe('Address to listen on.'),
  port: whole(0, 65_535).default(8080).describe('Port to listen on; 0 takes any free one.'),
  trusted_proxies: z
    .array(network())
    .max(256)
    .default([])
    .describe(
      'Networks of the load balancers whose X-Forwarded-For counts. Anyone else is taken by the address of the connection.',
    ),
  max_connections: whole(1, 1_000_000).default(4000).describe('Client connections held at once; more are closed.'),
  shutdown_delay_ms: whole(0, 600_000)
    .default(5000)
    .describe('How long /readyz answers 503 before the listener closes, so that load balancers notice.'),
  shutdown_timeout_ms: whole(0, 3_600_000)
    .default(30_000)
    .describe(
      'How long open exchanges may still run after that; then streams get an in-band error and the process ends.',
    ),
  keep_alive_timeout_ms: whole(0, 3_600_000)
    .default(72_000)
    .describe('How long an idle client connection is kept. Must exceed the idle time of the load balancer in front.'),
  headers_timeout_ms: whole(1, 3_600_000).default(15_000).describe('Time a client has to send its headers.'),
  request_timeout_ms: whole(1, 3_600_000).default(60_000).describe('Time a client has to send a whole request.'),
  write_stall_ms: whole(100, 3_600_000)
    .default(60_000)
    .describe('A client that reads nothing for this long is cut off.'),
});

const upstream = z.strictObject({
  url: httpUrl().describe(
    'Where calls go; may carry a base path. The prefix is removed, the rest of the path and the query are appended.',
  ),
  wire: z
    .enum(WIRES)
    .default('auto')
    .describe("Where text sits in this provider's bytes; `auto` lets the path decide. All text is scanned either way."),
  timeout_s: whole(1, 86_400).default(600).describe('Time until the first byte of a response.'),
  connect_timeout_ms: whole(1, 600_000).default(5000).describe('Time to connect.'),
  queue_timeout_ms: whole(1, 600_000).default(2000).describe('Time a call may wait for a free connection.'),
  idle_timeout_s: whole(1, 86_400).default(120).describe('Longest silence within a response.'),
  total_timeout_s: whole(0, 604_800).default(0).describe('Longest whole exchange; 0 sets no limit.'),
  max_sockets: whole(1, 65_535).default(512).describe('Connections held to this upstream at once.'),
  policy: policyOfUpstream.prefault({}).describe('Overrides the policy for this upstream, key by key.'),
});

const scanner = z.strictObject({
  enabled: z.boolean().default(true).describe('false forwards everything unscanned.'),
  threads: z
    .union([z.literal('auto'), whole(1, 64)])
    .default('auto')
    .describe('Scanning threads; `auto` takes one per core, at most 8. Beyond 8 cores run more instances.'),
  likeness: z
    .boolean()
    .default(true)
    .describe('Runs the statistical scanner beside the signatures (docs/likeness.md).'),
  response: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Scans responses too.'),
      mode: z
        .enum(RESPONSE_MODES)
        .default('buffered')
        .describe(
          'For streams: `passthrough` forwards at once and scans beside it, `buffered` holds the beginning, `full` holds everything.',
        ),
      buffer_chars: whole(1, 1_048_576)
        .default(1024)
        .describe('`buffered`: characters of model text held before the first scan.'),
      categories: z
        .array(z.enum(CATEGORIES))
        .max(CATEGORIES.length)
        .default([])
        .describe('Categories that count in responses; empty means all.'),
      mask: z.boolean().default(false).describe('Replaces sensitive values in place instead of blocking.'),
      canaries: z
        .array(
          textThat(
            (value) => value.length >= 8,
            'a text of at least 8 characters; shorter ones hit honest text',
            512,
          ).register(kinds, { expects: 'a text of at least 8 characters', secret: 'whole' }),
        )
        .max(1000)
        .default([])
        .describe('Texts that must never come back, in any encoding.'),
    })
    .prefault({})
    .describe('What comes back from the upstreams.'),
});

const signatures = z.strictObject({
  paths: z
    .array(text(4096, 'a file or folder'))
    .max(256)
    .default([])
    .describe('Files or folders of signatures, added to the bundled ones.'),
  disabled: z
    .array(text(200, 'the id of a signature'))
    .max(10_000)
    .default([])
    .describe('Ids of signatures to leave out everywhere.'),
});

const security = z.strictObject({
  failure_mode: z
    .enum(['open', 'closed'])
    .default('open')
    .describe(
      'What happens when a scan fails or times out: `open` forwards, `closed` refuses with 503. What the sender made unreadable is refused in both.',
    ),
  scanner_timeout_ms: whole(10, 60_000)
    .default(500)
    .describe(
      'Time from hand-over to verdict. Bodies beyond 128 KB get more, half a second at 1 MB and 100 ms for each further megabyte, and are refused after it in either failure mode.',
    ),
  overload: z
    .enum(['shed', 'failure_mode'])
    .default('shed')
    .describe(
      'More work than the scanner admits: `shed` answers 503 with Retry-After, `failure_mode` treats it as a failed scan.',
    ),
  token_ids: z
    .enum(['allow', 'block'])
    .default('allow')
    .describe(
      'Prompts sent as numbers instead of text, which no scanner can read: `allow` counts them and says X-Guard-Scanned: false, `block` refuses them.',
    ),
  max_request_bytes: whole(1024, 1_073_741_824).default(10_485_760).describe('Largest request body; beyond: 413.'),
  max_response_bytes: whole(1024, 1_073_741_824)
    .default(52_428_800)
    .describe('Largest response body that is scanned whole; beyond: 502.'),
});

const rateLimit = z.strictObject({
  check: z
    .strictObject({
      points: whole(0, 1_000_000_000).default(6000).describe('Calls of /check per client and period; 0 sets no limit.'),
      per_s: whole(1, 86_400).default(60).describe('The period.'),
    })
    .prefault({})
    .describe('The limit on /check.'),
  store: storeUrl()
    .register(kinds, { expects: 'memory or a redis:// URL', secret: 'password' })
    .default('memory')
    .describe(
      'Where counts are kept: `memory`, or a Redis shared by all instances (memory takes over while it is away).',
    ),
  store_file: text(4096, 'a file').optional().describe('A file that holds `store`, for an address with a password.'),
});

const key = z.strictObject({
  id: textThat((value) => PATTERN_OF_ID.test(value), '1 to 64 of A-Z a-z 0-9 . _ -').describe('A name for logs.'),
  sha256: textThat(
    (value) => /^[0-9a-fA-F]{64}$/.test(value),
    'the SHA-256 of the key in 64 hexadecimal digits; `guard keys create` prints it',
  )
    .register(kinds, { expects: 'a SHA-256 in 64 hexadecimal digits', secret: 'whole' })
    .describe('SHA-256 of the key, as `guard keys create` prints it. The key itself is never kept.'),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).describe('What the key opens.'),
});
const PATTERN_OF_ID = /^[A-Za-z0-9._-]{1,64}$/;

const auth = z.strictObject({
  keys: z
    .array(key)
    .max(10_000)
    .default([])
    .describe('Keys for the endpoints of the proxy itself; empty asks for none. Proxied calls are never asked.'),
});

const metrics = z.strictObject({
  enabled: z.boolean().default(true).describe('Serves metrics.'),
  path: textThat((value) => /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(value), 'a path such as /metrics', 200)
    .default('/metrics')
    .describe('Where.'),
});

const logging = z.strictObject({
  level: z.enum(LOG_LEVELS).default('info').describe('The least severe line that is written.'),
});

const admin = z.strictObject({
  enabled: z.boolean().default(false).describe('Serves the console: a page that shows this instance.'),
  host: text(253, 'an address or host name to listen on')
    .default('127.0.0.1')
    .describe('Address of the console. Beyond this machine it asks for a key with the scope admin.'),
  port: whole(0, 65_535).default(9901).describe('Port of the console.'),
});

const controlPlane = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe('Connects to a control plane for signatures, policy and the view of the fleet.'),
  url: httpUrl().nullable().default(null).describe('Its address.'),
  // It travels in a header: a line break that came along from a file would break the call, or worse.
  api_key: textThat((value) => /^[\x21-\x7e]+$/.test(value), 'a key of visible ASCII characters without spaces', 4096)
    .register(kinds, { expects: 'the key of this instance', secret: 'whole' })
    .nullable()
    .default(null)
    .describe('The key of this instance.'),
  api_key_file: text(4096, 'a file').optional().describe('A file that holds `api_key`.'),
  heartbeat_s: whole(1, 3600).default(30).describe('Time between two heartbeats.'),
  name: text(100, 'a name')
    .nullable()
    .default(null)
    .describe('What the fleet calls this instance; null takes the host name.'),
  group: textThat((value) => PATTERN_OF_ID.test(value), '1 to 64 of A-Z a-z 0-9 . _ -')
    .default('default')
    .describe('The group of the fleet it asks to join; its policy and its signatures follow from that.'),
  folder: text(4096, 'a folder')
    .nullable()
    .default(null)
    .describe(
      'Where the last good signatures and policy are kept for a start without the control plane; null keeps none.',
    ),
  policy: z
    .boolean()
    .default(true)
    .describe('Whether the policy of the group takes the place of `policy`; upstreams keep what they override.'),
  public_keys: z
    .array(publicKey())
    .max(16)
    .default([])
    .describe('Keys that signature bundles must be signed with; more than one allows rotation.'),
});

export const schema = z.strictObject({
  server: server.prefault({}).describe('The listener.'),
  upstreams: z
    .record(prefixName(), upstream)
    .default({})
    .describe('LLM APIs by the first path segment under which clients reach them.'),
  scanner: scanner.prefault({}).describe('What is scanned and by what.'),
  policy: policy.prefault({}).describe('What findings lead to.'),
  signatures: signatures.prefault({}).describe('Which signatures are used.'),
  security: security.prefault({}).describe('Limits, and what happens when scanning fails.'),
  rate_limit: rateLimit.prefault({}).describe('Limits per client.'),
  auth: auth.prefault({}).describe('Who may use the endpoints of the proxy itself.'),
  metrics: metrics.prefault({}).describe('Prometheus metrics.'),
  logging: logging.prefault({}).describe('Logs: JSON lines on standard output.'),
  admin: admin.prefault({}).describe('The console, on its own listener.'),
  control_plane: controlPlane.prefault({}).describe('Signature updates and fleet management.'),
});

export type Typed = z.output<typeof schema>;

import * as z from 'zod';
import { WIRES } from '../domain/job.ts';
import { LOG_LEVELS } from '../domain/log-level.ts';
import { NAME, NAME_RULE } from '../domain/name.ts';
import { SCOPES } from '../domain/scope.ts';
import { CATEGORIES } from '../domain/verdict.ts';
import { accessKey } from './access-key.ts';
import { httpUrl, kinds, network, prefixName, publicKey, storeUrl, text, textThat, whole } from './kinds.ts';
import { policy, policyOfUpstream } from './policy-schema.ts';

/**
 * The schema of the configuration file. Its descriptions are the only ones: the JSON schema for editors and
 * docs/configuration.md are generated from them. Sections are closed (an unknown key is a problem), and every key
 * except an upstream's `url` has a default.
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
      'Networks of the load balancers whose X-Forwarded-For is believed. For anybody else the client is the address of the connection.',
    ),
  max_connections: whole(1, 1_000_000)
    .default(4000)
    .describe('Client connections open at the same time. Further ones are closed.'),
  shutdown_delay_ms: whole(0, 600_000)
    .default(5000)
    .describe(
      'Time between the signal to stop, from which on /readyz answers 503, and the closing of the listener. Load balancers notice in it.',
    ),
  shutdown_timeout_ms: whole(0, 3_600_000)
    .default(30_000)
    .describe(
      'Time that open calls have after that. Then streams are ended with an error frame, other calls get a 503, and the process ends.',
    ),
  keep_alive_timeout_ms: whole(0, 3_600_000)
    .default(72_000)
    .describe(
      'How long an idle client connection is kept open. It must be longer than the idle time of the load balancer in front.',
    ),
  headers_timeout_ms: whole(1, 3_600_000).default(15_000).describe('Time a client has to send its headers.'),
  request_timeout_ms: whole(1, 3_600_000).default(60_000).describe('Time a client has to send a whole request.'),
  write_stall_ms: whole(100, 3_600_000)
    .default(60_000)
    .describe('A client that reads nothing of its answer for this long is cut off.'),
});

const upstream = z.strictObject({
  url: httpUrl().describe(
    'Where calls go. It may have a base path. The name of the upstream is taken off the path of a call, and the rest, with the query, is appended here.',
  ),
  wire: z
    .enum(WIRES)
    .default('auto')
    .describe(
      'The API this provider speaks, which says who wrote which text. `auto` decides by the path. All text is scanned whatever stands here.',
    ),
  timeout_s: whole(1, 86_400).default(600).describe('Time until the first byte of a response.'),
  connect_timeout_ms: whole(1, 600_000).default(5000).describe('Time to connect.'),
  queue_timeout_ms: whole(1, 600_000)
    .default(2000)
    .describe('Time a call may wait for a free connection, when `max_sockets` are in use.'),
  idle_timeout_s: whole(1, 86_400).default(120).describe('Longest silence in the middle of a response.'),
  total_timeout_s: whole(0, 604_800).default(0).describe('Longest duration of a whole call. 0 sets no limit.'),
  max_sockets: whole(1, 65_535).default(512).describe('Connections to this upstream at the same time.'),
  policy: policyOfUpstream
    .prefault({})
    .describe('What differs from `policy` for this upstream. A list replaces the whole list.'),
});

const scanner = z.strictObject({
  enabled: z.boolean().default(true).describe('`false` switches scanning off: everything is forwarded unread.'),
  threads: z
    .union([z.literal('auto'), whole(1, 64)])
    .default('auto')
    .describe(
      'Number of scanning threads. `auto` takes one for each core, at least 2 and at most 8. With a single thread, each body waits for the one before it, however slow that is. On more than 8 cores, run more instances.',
    ),
  likeness: z
    .boolean()
    .default(true)
    .describe('Whether the statistical scanner runs beside the signatures (docs/likeness.md).'),
  response: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Whether responses are scanned, too (docs/responses.md).'),
      mode: z
        .enum(RESPONSE_MODES)
        .default('buffered')
        .describe(
          'How streams are scanned. `passthrough` forwards at once and scans beside it. `buffered` holds back the beginning, then the last words. `full` holds back everything until the end.',
        ),
      buffer_chars: whole(1, 1_048_576)
        .default(1024)
        .describe('In the mode `buffered`: how many characters of text are held back before the first scan.'),
      categories: z
        .array(z.enum(CATEGORIES))
        .max(CATEGORIES.length)
        .default([])
        .describe('Categories that are looked for in responses. An empty list means all.'),
      mask: z
        .boolean()
        .default(false)
        .describe('Whether a sensitive value is replaced where it stands, instead of blocking the response.'),
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
        .describe('Texts of yours that must never appear in a response, in any encoding.'),
    })
    .prefault({})
    .describe('What comes back from the upstreams.'),
});

const signatures = z.strictObject({
  paths: z
    .array(text(4096, 'a file or folder'))
    .max(256)
    .default([])
    .describe(
      'Files or folders with signatures of your own. They are used beside the bundled ones. In a folder all `.yaml` and `.yml` files are read, but nothing whose name begins with a dot.',
    ),
  disabled: z
    .array(text(200, 'the id of a signature'))
    .max(10_000)
    .default([])
    .describe('Ids of signatures that are not used at all.'),
});

const security = z.strictObject({
  failure_mode: z
    .enum(['open', 'closed'])
    .default('open')
    .describe(
      'What happens when a scan fails or takes too long. `open` forwards the body unscanned, `closed` refuses it with 503. A body that its sender made unreadable is refused in both.',
    ),
  scanner_timeout_ms: whole(10, 60_000)
    .default(500)
    .describe(
      'Time that a scan may take, waiting included. A body has more the longer it is: a millisecond for every 12 bytes, up to a second at 12 KB, half a second on top of it at 1 MB, and 100 ms for each further megabyte. Where patterns had to be compiled for it, as after a start, it has as much again, but at most a second. A body above 4 KB that takes longer still is refused in both failure modes, so that size buys no way past the scanner.',
    ),
  overload: z
    .enum(['shed', 'failure_mode'])
    .default('shed')
    .describe(
      'What happens when more work arrives than the scanner can take. `shed` answers 503 `overloaded`. `failure_mode` treats it as a failed scan.',
    ),
  token_ids: z
    .enum(['allow', 'block'])
    .default('allow')
    .describe(
      'What happens to prompts that are sent as token numbers, which no scanner can read. `allow` forwards them with `X-Guard-Scanned: false` and counts them. `block` refuses them with 400.',
    ),
  max_request_bytes: whole(1024, 1_073_741_824)
    .default(10_485_760)
    .describe('Largest request body, as sent and unpacked. A larger one is refused with 413.'),
  max_response_bytes: whole(1024, 1_073_741_824)
    .default(52_428_800)
    .describe('Largest response that is held back to be scanned. A larger one is refused with 502.'),
});

const rateLimit = z.strictObject({
  check: z
    .strictObject({
      points: whole(0, 1_000_000_000)
        .default(6000)
        .describe('Calls of /check that one client, or one key, may make in a period. 0 sets no limit.'),
      per_s: whole(1, 86_400).default(60).describe('Length of the period in seconds.'),
    })
    .prefault({})
    .describe('The limit on /check.'),
  store: storeUrl()
    .register(kinds, { expects: 'memory or a redis:// URL', secret: 'password' })
    .default('memory')
    .describe(
      'Where calls are counted: in the `memory` of each instance, or in a Redis for all instances together. While the Redis is away each instance counts alone. Needs the package ioredis.',
    ),
  store_file: text(4096, 'a file')
    .optional()
    .describe('A file that holds the value of `store`, for an address with a password.'),
});

const key = accessKey(
  SCOPES,
  'What the key opens: `check` POST /check, `metrics` the metrics, `admin` the console.',
  '`guard keys create`',
);

const auth = z.strictObject({
  keys: z.array(key).max(10_000).default([]).describe('Keys for the endpoints of guard itself. The rules stand above.'),
});

const metrics = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether metrics are served.'),
  path: textThat((value) => /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(value), 'a path such as /metrics', 200)
    .default('/metrics')
    .describe('The path under which they are served.'),
});

const logging = z.strictObject({
  level: z.enum(LOG_LEVELS).default('info').describe('The least severe level that is written.'),
});

const admin = z.strictObject({
  enabled: z.boolean().default(false).describe('Whether the console is served: a page that shows this instance.'),
  host: text(253, 'an address or host name to listen on')
    .default('127.0.0.1')
    .describe('Address of the console. On any but a loopback address a key with the scope `admin` is needed.'),
  port: whole(0, 65_535).default(9901).describe('Port of the console.'),
});

const controlPlane = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe('Whether this instance connects to a control plane (docs/control-plane.md).'),
  url: httpUrl().nullable().default(null).describe('Address of the control plane.'),
  // It is sent in a header: a line break copied from a file would break the request, or allow header injection.
  api_key: textThat((value) => /^[\x21-\x7e]+$/.test(value), 'a key of visible ASCII characters without spaces', 4096)
    .register(kinds, { expects: 'the key of this instance', secret: 'whole' })
    .nullable()
    .default(null)
    .describe('The key with which this instance reports to the control plane.'),
  api_key_file: text(4096, 'a file').optional().describe('A file that holds the value of `api_key`.'),
  heartbeat_s: whole(1, 3600)
    .nullable()
    .default(null)
    .describe(
      'Seconds between two heartbeats. `null` takes what the control plane says (`fleet.heartbeat_s` there). A longer time than that has no effect: the control plane would take this instance for silent.',
    ),
  name: text(100, 'a name')
    .nullable()
    .default(null)
    .describe(
      'The name under which the fleet shows this instance, told when it registers. `null` takes the host name.',
    ),
  group: textThat((value) => NAME.test(value), NAME_RULE)
    .default('default')
    .describe(
      'The group of the fleet that this instance joins when it registers; one that the control plane does not know means `default`. Its policy and its signatures are those of the group.',
    ),
  folder: text(4096, 'a folder')
    .nullable()
    .default(null)
    .describe(
      'A folder in which the last good signatures and policy are kept, for a start while the control plane is away. `null` keeps none.',
    ),
  policy: z
    .boolean()
    .default(true)
    .describe('Whether the policy of the group replaces `policy`. What an upstream overrides stays as it is.'),
  public_keys: z
    .array(publicKey())
    .max(16)
    .default([])
    .describe(
      'Public keys. A bundle of signatures is taken only when one of them signed it. With two, keys can be changed one after the other.',
    ),
});

export const schema = z.strictObject({
  server: server.prefault({}).describe('The listener.'),
  upstreams: z
    .record(prefixName(), upstream)
    .default({})
    .describe(
      'The LLM APIs that calls are forwarded to. The name of an upstream is the first segment of the path of its calls. A file without this key has the `llm-a` and `llm-b` of the shipped one; `{}` is for /check alone.',
    ),
  scanner: scanner.prefault({}).describe('What is scanned and by what.'),
  policy: policy.prefault({}).describe('What happens to text in which something was found.'),
  signatures: signatures.prefault({}).describe('Which signatures are used.'),
  security: security.prefault({}).describe('Limits, and what happens when a scan fails.'),
  rate_limit: rateLimit
    .prefault({})
    .describe('How often one client may call POST /check. Proxied calls are not limited.'),
  auth: auth.prefault({}).describe('Who may use the endpoints of guard itself.'),
  metrics: metrics.prefault({}).describe('Prometheus metrics.'),
  logging: logging.prefault({}).describe('Logs are JSON lines on standard output.'),
  admin: admin.prefault({}).describe('The console of one instance, on a listener of its own.'),
  control_plane: controlPlane.prefault({}).describe('Signature updates and fleet management.'),
});

/**
 * The settings as they were written, and the defaults of those that were not. resolve.ts makes of them the `Config` that
 * the program uses.
 */
export type Settings = z.output<typeof schema>;

/** The service with its default configuration and log level; the benchmark passes what differs. */
import { parseConfig } from '../../src/config/load.ts';
import { startService } from '../../src/service.ts';
import { serveControl } from '../child.ts';

const { upstreamPort, config } = JSON.parse(process.argv[2]!) as { upstreamPort: number; config: object };
const typed = {
  server: { host: '127.0.0.1', port: 0 },
  upstreams: { 'llm-a': { url: `http://127.0.0.1:${upstreamPort}`, wire: 'openai' } },
  ...config,
};
const loaded = parseConfig(JSON.stringify(typed), { file: 'bench.yaml', env: {} });
if (loaded.config === null)
  throw new Error(loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
const started = await startService(loaded.config);
if (started.service === null) throw new Error(started.problems.map(({ message }) => message).join('\n'));
const { service } = started;
serveControl(service.address.port, () => service.close());

/** A control plane with the given configuration. */
import { parseControlPlane } from '../../src/config/control-plane.ts';
import { startControlPlane } from '../../src/control-plane/server/start.ts';
import { serveControl } from '../child.ts';

const { config } = JSON.parse(process.argv[2]!) as { config: object };
const loaded = parseControlPlane(JSON.stringify(config), 'defaults', {});
if (loaded.config === null)
  throw new Error(loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
const plane = await startControlPlane(loaded.config);
serveControl(plane.address.port, () => plane.close());

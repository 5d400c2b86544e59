/**
 * http-proxy takes util._extend when it is loaded. Newer runtimes warn about it on every start (DEP0060) and will drop it;
 * Object.assign is what it has been all along. Imported before http-proxy, by its one door.
 */
import util from 'node:util';

(util as unknown as { _extend: typeof Object.assign })._extend = Object.assign;

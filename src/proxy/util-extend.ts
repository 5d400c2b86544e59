/**
 * http-proxy reads `util._extend` when it is loaded. Newer Node versions warn about that on every start (DEP0060) and
 * will remove it, so it is replaced by the equivalent `Object.assign`. forward.ts imports this file before http-proxy.
 */
import util from 'node:util';

(util as unknown as { _extend: typeof Object.assign })._extend = Object.assign;

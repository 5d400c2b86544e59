import { sendJson } from '../http/reply.ts';
import type { Route } from './call.ts';

export const root: Route = ({ response, exchange, runtime }) => {
  sendJson(response, 200, { service: 'guard', version: runtime.version }, { 'X-Request-ID': exchange.id });
};

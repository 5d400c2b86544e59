import { sendText } from '../http/reply.ts';
import { isOver, later, refuseCall, type Route } from './call.ts';

/** The page for Prometheus. */
export const metrics: Route = (call) => {
  const { request, response, exchange, runtime } = call;
  const admission = runtime.authorize(request, 'metrics');
  if (admission.kind === 'refused') {
    refuseCall(call, admission.refusal);
    return;
  }
  const page = runtime.metrics.page().then(({ contentType, text }) => {
    if (!isOver(call)) sendText(response, 200, contentType, text, { 'X-Request-ID': exchange.id });
  });
  later(call, page);
};

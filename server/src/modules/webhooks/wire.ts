// Wires the payment provider's webhook. It decides nothing.

import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import type { Delivery, Route } from '../../http/route.ts';
import type { Log } from '../../observability/logs.ts';
import { readEvent } from '../../providers/payment/read-payment.ts';
import { verifyPaymentWebhook } from '../../providers/webhook-signatures.ts';
import { createPaymentEvents, type EventHandlers } from './payment-events.ts';
import { paymentWebhookRoutes } from './payment-routes.ts';

type Options = {
  readonly config: Config;
  readonly submit: Submit;
  readonly handlers: EventHandlers;
  /** Secret of the sandbox; used where no secret of a real provider is set. */
  readonly sandboxSecret?: string;
  readonly log: Log;
  /** Receives the outcome of each webhook. */
  readonly watch?: Parameters<typeof paymentWebhookRoutes>[0]['watch'];
};

export const wirePaymentWebhooks = ({ config, submit, handlers, log, ...options }: Options): Route[] => {
  const secret = config.adapters.paymentWebhookSecret ?? options.sandboxSecret ?? null;
  const verify = ({ headers, rawBody }: Delivery): string | null => {
    const verified = verifyPaymentWebhook({ headers, rawBody, secret: secret ?? '', now: Date.now() });
    return verified.genuine ? null : verified.reason;
  };
  const onOddity = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  return paymentWebhookRoutes({
    events: createPaymentEvents({ submit, handlers, onOddity }),
    read: readEvent,
    log,
    verify: secret === null ? null : verify,
    ...(options.watch ? { watch: options.watch } : {}),
  });
};

// Settings that are allowed and still worth a line in the log at every start.

import type { Config } from './settings.ts';

const WARNINGS: readonly { holds(config: Config): boolean; sentence: string }[] = [
  {
    holds: ({ orders }) => !orders.needKey,
    sentence:
      'ORDER_ROUTES_AUTH is off: anybody who can reach this server can create, fund, release and refund orders of every marketplace. Turn it on as soon as all clients send a key.',
  },
  {
    holds: ({ providers, adapters }) => providers.paymentUrl !== null && adapters.paymentWebhookSecret === null,
    sentence:
      "PAYMENT_WEBHOOK_SECRET is not set: the payment provider's webhooks are taken without a check of their signature. Set it anywhere but on your own machine.",
  },
];

export const warningsOf = (config: Config): string[] =>
  WARNINGS.filter(({ holds }) => holds(config)).map(({ sentence }) => sentence);

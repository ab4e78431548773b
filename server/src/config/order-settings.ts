// Settings of orders: who may use their routes, what they must fulfil, and how long a request waits for the outside systems.

import { boolean, duration } from './parsers.ts';
import { setting } from './setting.ts';

export const ORDER_SETTINGS = {
  orders: {
    needKey: setting({
      name: 'ORDER_ROUTES_AUTH',
      parser: boolean,
      default: 'on',
      meaning:
        'Whether order, escrow and resolution routes need a key. Off is only for moving over from a service that asked for none: anybody who can reach the server can then move money.',
      example: 'off',
    }),
    lenientMilestones: setting({
      name: 'LENIENT_MILESTONES',
      parser: boolean,
      default: 'false',
      meaning:
        'Takes orders whose milestones do not add up to their amount; they are then refused when the escrow is created.',
      example: 'true',
    }),
    requirePaymentAccount: setting({
      name: 'REQUIRE_PAYMENT_ACCOUNT',
      parser: boolean,
      default: 'false',
      meaning: 'An escrow is only created for users who, besides their wallet, have a linked payment account.',
      example: 'true',
    }),
    operationWaitMs: setting({
      name: 'OPERATION_WAIT_MS',
      parser: duration({ unit: 'ms', min: 1_000, max: 600_000 }),
      default: '25000',
      meaning:
        "How long a request waits for what it set off at the outside systems; it goes on afterwards. Keep it below your clients' time-out.",
      example: '50000',
    }),
  },
};

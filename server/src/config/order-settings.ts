// Settings of orders: whether their routes need a key, their rules, and how long a request waits for the outside systems.

import { boolean, duration } from './parsers.ts';
import { setting } from './setting.ts';

export const ORDER_SETTINGS = {
  orders: {
    needKey: setting({
      name: 'ORDER_ROUTES_AUTH',
      parser: boolean,
      default: 'on',
      meaning:
        'Whether order, escrow and resolution routes need a key. Turn it off only while migrating from a service without keys: anyone who can reach the server can then move money.',
      example: 'off',
    }),
    lenientMilestones: setting({
      name: 'LENIENT_MILESTONES',
      parser: boolean,
      default: 'false',
      meaning:
        'Accepts orders whose milestones do not add up to their amount. The creation of their escrow is refused.',
      example: 'true',
    }),
    requirePaymentAccount: setting({
      name: 'REQUIRE_PAYMENT_ACCOUNT',
      parser: boolean,
      default: 'false',
      meaning: 'Creates an escrow only for users who have a linked payment account in addition to their wallet.',
      example: 'true',
    }),
    operationWaitMs: setting({
      name: 'OPERATION_WAIT_MS',
      parser: duration({ unit: 'ms', min: 1_000, max: 600_000 }),
      default: '25000',
      meaning:
        "How long a request waits for its operation. After that it gets 504 and the operation continues in the background. Keep it below your clients' timeout.",
      example: '50000',
    }),
  },
};

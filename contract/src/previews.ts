// Previews: the answer to a request with `Dry-Run: true`, and the routes that have none.

import Type from 'typebox';
import type { Endpoint } from './api/endpoint.ts';
import { CurrencyCode } from './api/fields.ts';

/** The header of the request and of its answer. */
export const DRY_RUN_HEADER = 'dry-run';

const SECRET = 'its answer contains a new secret, which exists only once it is stored.';
const SANDBOX = 'it controls the simulators of the sandbox and changes no record itself.';
const DELIVERY = 'it only sends webhooks again, and changes neither money nor the state of a record.';
const OUTSIDE = 'it reads an outside system and stores what that system says now, which a preview cannot know.';
const OPERATION = 'it controls the running server, and not the records of a marketplace.';
const CREDENTIALS = 'it changes credentials, which are checked with the payment provider.';
const SESSION = 'it signs an operator in or out.';
const RECEIVED = 'it receives what an outside system reports.';

/** Changing routes without a preview, each with the reason. Every other changing route has one. */
export const NOT_PREVIEWED: Readonly<Record<string, string>> = {
  'POST /auth/api-keys': SECRET,
  'POST /auth/api-keys/:id/rotate': SECRET,
  'POST /auth/api-keys/:id/token': SECRET,
  'POST /webhook-endpoints': SECRET,
  'POST /webhook-endpoints/:id/rotate-secret': SECRET,
  'POST /orders/:id/receipt-link': SECRET,
  'POST /operators': SECRET,
  'POST /operators/:id/invite': SECRET,
  'POST /webhook-endpoints/:id/test': DELIVERY,
  'POST /webhook-endpoints/:id/replay': DELIVERY,
  'POST /webhook-endpoints/:id/retry-failed': DELIVERY,
  'POST /webhook-deliveries/:id/retry': DELIVERY,
  'POST /users/:userId/balance/sync': `${OUTSIDE} GET /users/{userId}/balance/verify shows the difference.`,
  'POST /users/:id/payment-account/link': 'the payment provider decides which account is linked.',
  'POST /topups/:id/refresh': OUTSIDE,
  'POST /withdrawals/:id/refresh': OUTSIDE,
  'POST /users/:userId/wallet/challenge': 'it stores nothing.',
  'POST /users/:userId/wallet/proof': 'the ledger alone knows which keys may sign for the account.',
  'POST /wallet-keys/rotate': OPERATION,
  'POST /jobs/:name/retry': OPERATION,
  'POST /payments/hold': OPERATION,
  'POST /payments/release': OPERATION,
  'PUT /marketplaces/:id/payment-provider': CREDENTIALS,
  'DELETE /marketplaces/:id/payment-provider': CREDENTIALS,
  'POST /sandbox/faults': SANDBOX,
  'DELETE /sandbox/faults': SANDBOX,
  'POST /sandbox/clock/advance': SANDBOX,
  'POST /sandbox/faucet': SANDBOX,
  'POST /sandbox/payins/:id/:decision': SANDBOX,
  'POST /sandbox/payouts/:id/:decision': SANDBOX,
  'POST /sandbox/escrow-events': SANDBOX,
  'POST /webhooks/escrow-provider': RECEIVED,
  'POST /webhooks/payment-provider': RECEIVED,
};

/** Why the route has no preview; undefined when it has one. */
export const whyNotPreviewed = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string | undefined =>
  path.startsWith('/console/') ? SESSION : NOT_PREVIEWED[`${method} ${path}`];

/** Whether requests of the route change something, so that the header has a meaning. */
export const isChanging = ({ method }: Pick<Endpoint, 'method'>): boolean => method !== 'GET';

const ExactAmount = (description: string) =>
  Type.String({
    description: `${description} Decimal string with two decimal places, or more when needed.`,
    examples: ['25.00'],
  });

const Posting = Type.Object({
  from: Type.String({ description: 'The account that the money leaves.', examples: ['operator:adjustments'] }),
  to: Type.String({
    description: 'The account that the money goes to.',
    examples: ['usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W:available'],
  }),
  amount: ExactAmount('Positive.'),
  currency: CurrencyCode,
  move: Type.String({ description: 'Kind of the move, as in statements.', examples: ['credit'] }),
});

const Sides = Type.Object({ available: ExactAmount('Available balance.'), reserved: ExactAmount('Reserved balance.') });

const Balance = Type.Object({
  userId: Type.String({ description: 'The owner of the balance.', examples: ['usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W'] }),
  currency: CurrencyCode,
  before: Sides,
  after: Sides,
});

const Event = Type.Object({
  type: Type.String({ description: 'Type of the event.', examples: ['balance.credited'] }),
  aggregateId: Type.String({ description: 'The record of the event.', examples: ['usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W'] }),
  payload: Type.Unknown({ description: 'As on the event stream.' }),
});

const CALLED_SYSTEMS = ['escrow-provider', 'ledger-network', 'payment-provider'] as const;

const Call = Type.Object({
  system: Type.Enum(CALLED_SYSTEMS, { description: 'The outside system.', examples: ['escrow-provider'] }),
  operation: Type.String({ description: 'What the system would be asked to do.', examples: ['release'] }),
});

/** What a request changes, or what a deadline will change. */
export const previewChanges = {
  postings: Type.Array(Posting, { description: 'The money moves, in their order.' }),
  balances: Type.Array(Balance, { description: 'The balances of the users whose money would move.' }),
  events: Type.Array(Event, { description: 'The events that would be emitted, in their order.' }),
  calls: Type.Array(Call, {
    description:
      'The calls of outside systems that it would lead to, in their order. The preview assumes that they succeed.',
  }),
};

/** `data` of the answer to a request with `Dry-Run: true`. */
export const Preview = Type.Object(
  {
    status: Type.Integer({ description: 'The status that the request would get now.', examples: [201] }),
    reply: Type.Unknown({
      description: 'The record that the answer would carry, with ids that the real request replaces.',
    }),
    ...previewChanges,
  },
  { description: 'What the request would do now. Nothing was changed.' },
);

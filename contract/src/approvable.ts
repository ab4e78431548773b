// Which routes can wait for approval, and why every other changing route cannot.

import type { Endpoint } from './api/endpoint.ts';
import type { ApprovalAction } from './states.ts';

/** The routes that declare their approval, with all actions that a request of the route can be. */
export const APPROVABLE: Readonly<Record<string, readonly ApprovalAction[]>> = {
  'POST /users/:userId/balance/credit': ['balance.credit'],
  'POST /users/:userId/balance/debit': ['balance.debit'],
  'POST /users/:userId/balance/deduct-reserved': ['balance.debit'],
  'POST /orders/:orderId/resolution/release': ['order.release'],
  'POST /orders/:orderId/resolution/refund': ['order.refund'],
  'POST /orders/:id/milestones/:ref/release': ['order.release'],
  'POST /orders/:id/milestones/:ref/refund': ['order.refund'],
  'POST /orders/:id/deadlines/:kind/trigger': ['order.release', 'order.refund', 'dispute.resolve'],
  'POST /disputes/:id/resolve': ['dispute.resolve'],
  'POST /withdrawals': ['withdrawal.commit'],
  'POST /withdrawals/:id/commit': ['withdrawal.commit'],
  'POST /corrections': ['correction'],
  'PUT /approval-rules': ['approval-rules'],
  'POST /auth/api-keys': ['api-key.create'],
  'POST /auth/api-keys/:id/rotate': ['api-key.create'],
  'POST /auth/api-keys/:id/token': ['api-key.create'],
  'POST /operators': ['api-key.create'],
  'POST /operators/:id/invite': ['api-key.create'],
  'PATCH /operators/:id': ['api-key.create'],
};

const OWN_MONEY = 'the money stays with its user.';
const OUTSIDE = 'it books what an outside system says, and the caller chooses no amount.';
const FLOAT = "it concerns the operator's own money, needs the master key, and touches no user's money.";
const NO_MONEY = 'it moves no money.';
const POLICY = 'it only changes when a deadline acts. The deadline acts for the policy, which pays without a request.';
const FEWER = 'it takes rights away, which must never wait.';
const OWN_SIGN_IN = 'a person signs in or out, or changes the own credentials.';
const SANDBOX = 'it controls the simulators of the sandbox, where all money is play money.';

/** By the beginning of method and path. The first match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^POST \/users\/:userId\/balance\/(reserve|release|cancel-reservation)$/, OWN_MONEY],
  [/^POST \/orders(\/:id\/(reserve|cancel|escrow|escrow\/fund|milestones\/:ref\/(complete|dispute)))?$/, OWN_MONEY],
  [/^POST \/orders\/:orderId\/resolution\/dispute$/, NO_MONEY],
  [/^POST \/orders\/:id\/deadlines\/:kind\/(hold|resume|extend)$/, POLICY],
  [/^POST \/users\/:userId\/balance\/sync$/, OUTSIDE],
  [/^POST \/(topups|withdrawals)\/:id\/refresh$/, OUTSIDE],
  [/^POST \/topups(\/:id\/cancel)?$/, OUTSIDE],
  [/^POST \/webhooks\//, OUTSIDE],
  [/^(POST|PUT|DELETE) \/marketplaces\//, FLOAT],
  [/^POST \/payments\//, FLOAT],
  [/^DELETE \/(auth\/api-keys|operators)\//, FEWER],
  [/^(POST|DELETE) \/console/, OWN_SIGN_IN],
  [/^(POST|DELETE) \/sandbox\//, SANDBOX],
  [/^POST \/approvals\//, 'it decides about a request that waits.'],
  [/^POST \/users(\/:id\/(suspend|reactivate|payment-account\/link))?$/, NO_MONEY],
  [/^PATCH \/users\/:id$/, NO_MONEY],
  [/^POST \/users\/:userId\/wallet\//, NO_MONEY],
  [
    /^POST \/(disputes\/:id\/(assign|evidence|messages)|notes|policies|provider-statements|wallet-keys\/rotate)$/,
    NO_MONEY,
  ],
  [/^POST \/jobs\/:name\/retry$/, NO_MONEY],
  [/^(POST|DELETE) \/orders\/:id\/receipt-link$/, NO_MONEY],
  [/^(POST|PATCH|DELETE) \/(webhook-endpoints|webhook-deliveries)/, NO_MONEY],
];

/** Why requests of the route never wait; undefined where they can. */
export const whyNeverHeld = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string | undefined =>
  REASONS.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];

// Which routes Surface A has, by the parts of the service that they belong to. Data only: the tests compare it with what
// is documented, what is mounted and, where it is at hand, the specification.

/** Documented and mounted. */
export const BUILT = [
  'POST /auth/api-keys',
  'GET /auth/api-keys',
  'POST /auth/api-keys/{id}/token',
  'GET /auth/me',
  'GET /config',
  'GET /health',
  'GET /health/detailed',
  'POST /users',
  'GET /users',
  'GET /users/{id}',
  'POST /users/{id}/payment-account/link',
  'GET /users/{userId}/balance',
  'POST /users/{userId}/balance/credit',
  'POST /users/{userId}/balance/debit',
  'POST /users/{userId}/balance/reserve',
  'POST /users/{userId}/balance/release',
  'POST /users/{userId}/balance/cancel-reservation',
  'POST /users/{userId}/balance/deduct-reserved',
  'POST /users/{userId}/balance/sync',
  'GET /users/{userId}/balance/verify',
  'GET /users/{userId}/wallet',
  'GET /users/{userId}/wallet/deposit',
  'GET /users/{userId}/wallet/transactions',
  'POST /orders',
  'GET /orders',
  'GET /orders/{id}',
  'POST /orders/{id}/reserve',
  'POST /orders/{id}/cancel',
  'GET /orders/{id}/milestones',
  'POST /orders/{id}/milestones/{ref}/complete',
  'POST /orders/{id}/escrow',
  'POST /orders/{id}/escrow/fund',
  'POST /orders/{orderId}/resolution/release',
  'POST /orders/{orderId}/resolution/refund',
  'POST /orders/{orderId}/resolution/dispute',
  'GET /disputes',
  'GET /disputes/{id}',
  'POST /disputes/{id}/assign',
  'POST /disputes/{id}/resolve',
  'POST /topups',
  'GET /topups',
  'GET /topups/{id}',
  'POST /topups/{id}/refresh',
  'POST /topups/{id}/cancel',
  'GET /topups/{id}/callback',
  'POST /withdrawals',
  'GET /withdrawals',
  'GET /withdrawals/{id}',
  'POST /withdrawals/{id}/commit',
  'POST /withdrawals/{id}/refresh',
  'GET /events',
  'POST /webhooks/payment-provider',
  'POST /webhooks/escrow-provider',
  'GET /audit/logs',
] as const;

/** Shrinks as parts are built: a route that is mounted may not stay here. */
export const NOT_BUILT_YET: readonly string[] = [];

const DEADLINE_ROUTES = ['hold', 'resume', 'extend', 'trigger'].map(
  (action) => `POST /orders/{id}/deadlines/{kind}/${action}`,
);

/** Beyond the specification's inventory. */
export const ADDED = [
  ...DEADLINE_ROUTES,
  'POST /operators',
  'GET /operators',
  'GET /operators/{id}',
  'PATCH /operators/{id}',
  'DELETE /operators/{id}',
  'POST /operators/{id}/invite',
  'GET /operators/{id}/sessions',
  'DELETE /operators/{id}/sessions/{sessionId}',
  'PUT /approval-rules',
  'GET /approval-rules',
  'GET /approvals',
  'GET /approvals/{id}',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
  'POST /approvals/{id}/cancel',
  'POST /corrections',
  'GET /corrections',
  'GET /corrections/{id}',
  'POST /disputes/{id}/evidence',
  'GET /disputes/{id}/evidence',
  'GET /disputes/{id}/evidence/{evidenceId}',
  'GET /disputes/{id}/evidence/{evidenceId}/content',
  'POST /disputes/{id}/messages',
  'GET /disputes/{id}/messages',
  'POST /notes',
  'GET /notes',
  'POST /policies',
  'GET /policies',
  'GET /policies/{id}',
  'POST /webhook-endpoints',
  'GET /webhook-endpoints',
  'GET /webhook-endpoints/{id}',
  'PATCH /webhook-endpoints/{id}',
  'DELETE /webhook-endpoints/{id}',
  'POST /webhook-endpoints/{id}/rotate-secret',
  'POST /webhook-endpoints/{id}/test',
  'POST /webhook-endpoints/{id}/replay',
  'POST /webhook-endpoints/{id}/retry-failed',
  'GET /webhook-deliveries',
  'GET /webhook-deliveries/{id}',
  'POST /webhook-deliveries/{id}/retry',
  'DELETE /auth/api-keys/{id}',
  'POST /auth/api-keys/{id}/rotate',
  'POST /users/{id}/suspend',
  'POST /users/{id}/reactivate',
  'POST /users/{userId}/wallet/link',
  'GET /users/{userId}/wallets',
  'POST /users/{userId}/wallet/challenge',
  'POST /users/{userId}/wallet/proof',
  'GET /users/{id}/statement',
  'GET /exports/journal',
  'GET /reports/closing',
  'GET /audit/proof',
  'GET /audit/verify',
  'GET /reconciliation/breaks',
  'GET /reconciliation/surplus',
  'GET /treasury/deposit',
  'GET /orders/{id}/timeline',
  'GET /orders/{id}/outlook',
  'POST /orders/{id}/milestones/{ref}/release',
  'POST /orders/{id}/milestones/{ref}/refund',
  'POST /orders/{id}/milestones/{ref}/dispute',
  'GET /payments/hold',
  'GET /users/{id}/reservations',
  'GET /operations',
  'GET /operations/{id}',
  'GET /alerts',
  'GET /reports/money',
  'GET /reports/activity',
  'GET /reports/open-work',
  'GET /marketplaces',
  'GET /reconciliation/float',
  'GET /marketplaces/{id}',
  'POST /marketplaces/{id}/float',
  'PUT /marketplaces/{id}/credit-line',
  'GET /marketplaces/{id}/limits',
  'PUT /marketplaces/{id}/limits',
  'PUT /marketplaces/{id}/payment-provider',
  'GET /marketplaces/{id}/payment-provider',
  'DELETE /marketplaces/{id}/payment-provider',
  'GET /wallet-keys',
  'POST /wallet-keys/rotate',
  'GET /jobs',
  'POST /jobs/{name}/retry',
  'GET /sandbox/state',
  'GET /sandbox/faults',
  'POST /sandbox/faults',
  'DELETE /sandbox/faults',
  'POST /payments/hold',
  'POST /payments/release',
  'POST /sandbox/clock/advance',
  'POST /sandbox/faucet',
  'POST /sandbox/payins/{id}/{decision}',
  'POST /sandbox/payouts/{id}/{decision}',
  'POST /sandbox/escrow-events',
] as const;

/** Need no key. */
export const PUBLIC: readonly string[] = [
  'GET /config',
  'GET /health',
  'GET /health/detailed',
  'GET /topups/{id}/callback',
  'POST /webhooks/escrow-provider',
  'POST /webhooks/payment-provider',
];

/** Carry no JSON when all goes well, or not always. */
export const STREAMS: readonly string[] = [
  'GET /events',
  'GET /topups/{id}/callback',
  'GET /users/{id}/statement',
  'GET /exports/journal',
  'GET /disputes/{id}/evidence/{evidenceId}/content',
];

/** Take what outside systems sign: without a body they refuse it, and their answer has no envelope. */
export const RECEIVERS: readonly string[] = ['POST /webhooks/escrow-provider', 'POST /webhooks/payment-provider'];

/** Need the scope `support`. Every other GET needs `read`, and every other route `write`. */
export const SUPPORT: readonly string[] = [
  ...DEADLINE_ROUTES,
  'POST /users/{id}/suspend',
  'POST /users/{id}/reactivate',
  'POST /disputes/{id}/assign',
  'POST /disputes/{id}/resolve',
  'POST /corrections',
  'GET /jobs',
  'POST /jobs/{name}/retry',
  'GET /sandbox/state',
  'GET /sandbox/faults',
  'POST /sandbox/faults',
  'DELETE /sandbox/faults',
  'POST /sandbox/clock/advance',
  'POST /sandbox/faucet',
  'POST /sandbox/payins/{id}/{decision}',
  'POST /sandbox/payouts/{id}/{decision}',
  'POST /sandbox/escrow-events',
];

/** Money that is made: need `treasury`, or `write` where that contains it. */
export const TREASURY: readonly string[] = [
  'POST /users/{userId}/balance/credit',
  'POST /users/{userId}/balance/debit',
  'POST /users/{userId}/balance/deduct-reserved',
  'POST /users/{userId}/balance/sync',
];

/** Money that leaves: need `payout`, or `write` where that contains it. */
export const PAYOUT: readonly string[] = ['POST /withdrawals', 'POST /withdrawals/{id}/commit'];

/** Need the master key. */
export const MASTER: readonly string[] = [
  'POST /auth/api-keys',
  'GET /marketplaces',
  'GET /reconciliation/float',
  'GET /marketplaces/{id}',
  'POST /marketplaces/{id}/float',
  'PUT /marketplaces/{id}/credit-line',
  'GET /marketplaces/{id}/limits',
  'PUT /marketplaces/{id}/limits',
  'PUT /marketplaces/{id}/payment-provider',
  'GET /marketplaces/{id}/payment-provider',
  'DELETE /marketplaces/{id}/payment-provider',
  'GET /wallet-keys',
  'POST /wallet-keys/rotate',
  'GET /payments/hold',
  'POST /payments/hold',
  'POST /payments/release',
];

/** Need a key, whatever its scopes. */
export const ANY_KEY: readonly string[] = [
  'GET /operators/{id}/sessions',
  'DELETE /operators/{id}/sessions/{sessionId}',
  'GET /auth/me',
  'GET /events',
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/reject',
  'POST /approvals/{id}/cancel',
  'POST /auth/api-keys/{id}/token',
  'POST /auth/api-keys/{id}/rotate',
  'DELETE /auth/api-keys/{id}',
];

/** Need the master key or an operator with the role admin; no API key suffices. */
export const ADMIN: readonly string[] = [
  'POST /operators',
  'PATCH /operators/{id}',
  'DELETE /operators/{id}',
  'POST /operators/{id}/invite',
];

/** Need a key with every scope. */
export const EVERY_SCOPE: readonly string[] = ['PUT /approval-rules'];

// Refusals of the story: what the routes answer when the state, the figures or the request do not allow an action. They come last, so that
// they change nothing that an example shows.

import type { Endpoint } from '../../contract/src/api/endpoint.ts';
import type { ErrorCode } from '../../contract/src/errors.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { Asked, Recorder } from './recorder.ts';
import type { People } from './story-users.ts';

export type Known = {
  readonly people: People;
  /** A closed order, and one that was paid in milestones. */
  readonly chair: string;
  readonly parts: string;
  /** A resolved dispute. */
  readonly dispute: string;
  readonly topup: string;
  readonly withdrawal: string;
  readonly endpoint: string;
};

type Row = readonly [code: ErrorCode, route: string, asked: Asked];

const UNKNOWN = '01KA5V7MTC7Q2N9XJ4W8R0ZD3E';

/** Shown by the routes themselves, because their own words differ. */
const invalidOf = ({ method, path, query, body }: Endpoint): Asked => {
  const names = (schema: unknown): string[] => Object.keys((schema as { properties?: object })?.properties ?? {});
  const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, 'some-id']));
  const required = (body as { required?: string[] } | undefined)?.required ?? [];
  if (method !== 'GET' && required.length > 0) return { params, body: {} };
  if (names(query).includes('limit')) return { params, query: { limit: 100_000 } };
  return { params, query: { colour: 'red' } };
};

/** Routes that take any content: what they cannot read they ignore. */
const isLenient = ({ tag, ignoresQuery }: Endpoint): boolean => tag === 'Webhooks' || ignoresQuery === true;

const refuseInvalid = async ({ refuse, masterKey }: Recorder): Promise<void> => {
  for (const endpoint of ENDPOINTS) {
    if (isLenient(endpoint)) continue;
    const isMasters = endpoint.access === 'master' || endpoint.access === 'admin';
    const asked = invalidOf(endpoint);
    const route = `${endpoint.method} ${endpoint.path}`;
    await refuse('VALIDATION_ERROR', route, { ...asked, ...(isMasters ? { key: masterKey } : {}) });
  }
};

const orderRows = ({ chair, parts, people: { ada, grace }, dispute }: Known): Row[] => {
  const params = { id: chair };
  const resolution = { orderId: chair };
  const reason = 'Both agree.';
  const milestone = { id: parts, ref: 'frames' };
  const parties = { buyerId: ada, sellerId: grace };
  const opened = { openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
  return [
    ['INVALID_STATE', 'POST /orders/:id/reserve', { params }],
    ['INVALID_STATE', 'POST /orders/:id/cancel', { params }],
    ['INVALID_STATE', 'POST /orders/:id/escrow', { params }],
    ['INVALID_STATE', 'POST /orders/:id/escrow/fund', { params }],
    ['INVALID_STATE', 'POST /orders/:orderId/resolution/release', { params: resolution }],
    ['INVALID_STATE', 'POST /orders/:orderId/resolution/refund', { params: resolution, body: { reason } }],
    [
      'INVALID_STATE',
      'POST /orders/:orderId/resolution/dispute',
      { params: resolution, body: { orderId: chair, ...opened } },
    ],
    ['INVALID_STATE', 'POST /orders/:id/milestones/:ref/complete', { params: milestone }],
    ['INVALID_STATE', 'POST /orders/:id/milestones/:ref/release', { params: milestone }],
    ['INVALID_STATE', 'POST /orders/:id/milestones/:ref/refund', { params: milestone, body: { reason } }],
    ['INVALID_STATE', 'POST /orders/:id/milestones/:ref/dispute', { params: milestone, body: opened }],
    ['MILESTONE_NOT_FOUND', 'POST /orders/:id/milestones/:ref/complete', { params: { id: parts, ref: 'legs' } }],
    ['INVALID_STATE', 'POST /disputes/:id/assign', { params: { id: dispute }, body: { assignedTo: 'agent-7' } }],
    ['INVALID_STATE', 'POST /disputes/:id/resolve', { params: { id: dispute }, body: { decision: 'FULL_REFUND' } }],
    [
      'INVALID_STATE',
      'POST /disputes/:id/messages',
      { params: { id: dispute }, body: { from: 'BUYER', text: 'Thank you.' } },
    ],
    ['INVALID_AMOUNT', 'POST /orders', { body: { ...parties, amount: '40.005' } }],
    ['ORDER_ALREADY_EXISTS', 'POST /orders', { body: { ...parties, amount: '40.00', clientOrderRef: 'cart-1042' } }],
    ['POLICY_NOT_FOUND', 'POST /orders', { body: { ...parties, amount: '40.00', policy: 'strict' } }],
    ['ORDER_NOT_FOUND', 'GET /orders/:id', { params: { id: `ord_${UNKNOWN}` } }],
    ['RECEIPT_LINK_NOT_FOUND', 'DELETE /orders/:id/receipt-link', { params }],
  ];
};

const moneyRows = ({ people: { ada, grace }, topup, withdrawal }: Known): Row[] => {
  const params = { userId: ada };
  const at = 'POST /users/:userId/balance';
  const payout = { userId: grace, currency: 'USD' };
  const outside = { type: 'crypto', address: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' };
  return [
    ['INVALID_AMOUNT', `${at}/credit`, { params, body: { amount: '-5.00' } }],
    ['DAILY_LIMIT_EXCEEDED', `${at}/credit`, { params, body: { amount: '1500.00' } }],
    ['INSUFFICIENT_FUNDS', `${at}/debit`, { params, body: { amount: '5000.00' } }],
    ['INSUFFICIENT_FUNDS', `${at}/reserve`, { params, body: { amount: '5000.00', orderId: 'rent-18' } }],
    ['RESERVATION_EXCEEDED', `${at}/release`, { params, body: { amount: '99.00' } }],
    ['INVALID_RESERVED_DEDUCTION', `${at}/deduct-reserved`, { params, body: { amount: '99.00' } }],
    ['RESERVATION_NOT_FOUND', `${at}/cancel-reservation`, { params, body: { orderId: 'rent-17' } }],
    ['USER_NOT_FOUND', 'GET /users/:id', { params: { id: `usr_${UNKNOWN}` } }],
    ['INVALID_STATE', 'POST /topups/:id/cancel', { params: { id: topup } }],
    ['INVALID_STATE', 'POST /withdrawals/:id/commit', { params: { id: withdrawal } }],
    [
      'INSUFFICIENT_FUNDS',
      'POST /withdrawals',
      { body: { ...payout, amount: '400.00', destination: { type: 'bank' } } },
    ],
    [
      'WITHDRAWAL_DESTINATION_INVALID',
      'POST /withdrawals',
      { body: { ...payout, amount: '5.00', destination: outside } },
    ],
    [
      'PAYMENT_ACCOUNT_INVALID',
      'POST /users/:id/payment-account/link',
      { params: { id: ada }, body: { paymentAccountUserId: 'unknown' } },
    ],
    ['WALLET_NOT_FOUND', 'POST /users/:userId/wallet/challenge', { params }],
    ['INVALID_STATE', 'POST /users/:id/reactivate', { params: { id: ada } }],
  ];
};

const serviceRows = ({ topup }: Known, key: string): Row[] => {
  const fix = 'This should not be possible.';
  return [
    [
      'CORRECTION_REFUSED',
      'POST /corrections',
      { body: { kind: 'credit-late-topup', resourceId: topup, reason: fix } },
    ],
    [
      'OPERATOR_EXISTS',
      'POST /operators',
      { key, body: { email: 'joan@shop.example', name: 'Joan Clarke', role: 'viewer' } },
    ],
    ['WALLET_KEY_NOT_FOUND', 'POST /wallet-keys/rotate', { key, body: { keyId: '9' } }],
    ['JOB_NOT_FOUND', 'POST /jobs/:name/retry', { params: { name: 'polish-chairs' } }],
    ['INVALID_STATE', 'POST /jobs/:name/retry', { params: { name: 'check-proof' } }],
  ];
};

export const refuseAll = async (story: Recorder, known: Known): Promise<void> => {
  const rows = [...orderRows(known), ...moneyRows(known), ...serviceRows(known, story.masterKey)];
  const failures: string[] = [];
  for (const [code, route, asked] of rows) {
    await story.refuse(code, route, asked).catch((error: Error) => void failures.push(error.message));
  }
  await refuseInvalid(story).catch((error: Error) => void failures.push(error.message));
  if (failures.length > 0) throw new Error(failures.join('\n'));
};

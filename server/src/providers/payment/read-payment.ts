// Reads what the payment provider sends: payins, payouts, users, webhooks and refusals. An unknown status is unreadable and never
// guessed.

import { type No, no } from '../../base/answer.ts';
import { isRefusal, type Reply } from '../attempt.ts';
import type {
  ListedPayout,
  Payin,
  PayinState,
  PaymentEvent,
  PaymentUser,
  Payout,
  PayoutState,
} from '../payment-port.ts';
import {
  amountOf,
  type Fields,
  fieldsOf,
  findAmount,
  findText,
  isFields,
  isTrue,
  readJson,
  textOf,
  Unreadable,
} from '../reply-fields.ts';

export function readPayin(value: unknown, payerUrl: string): Payin {
  const fields = fieldsOf(value, 'The payin');
  const id = textOf(fields, 'id');
  return {
    id,
    code: textOf(fields, 'code'),
    state: stateOf(fields, PAYIN_STATES),
    amount: amountOf(fields, 'amount'),
    fee: findAmount(fields, 'airtmFee'),
    payerUrl: `${payerUrl}/payin/${encodeURIComponent(id)}`,
    reason: findText(fields, 'failureReason'),
  };
}

export function readPayout(value: unknown): Payout {
  const fields = fieldsOf(value, 'The payout');
  return {
    id: textOf(fields, 'id'),
    code: findText(fields, 'code'),
    state: stateOf(fields, PAYOUT_STATES),
    amount: amountOf(fields, 'amount'),
    fee: findAmount(fields, 'airtmFee'),
    reasonCode: findText(fields, 'reasonCode'),
    reason: findText(fields, 'reasonDescription'),
  };
}

export function readListedPayout(value: unknown): ListedPayout {
  const fields = fieldsOf(value, 'The payout');
  return { ...readPayout(fields), email: findText(fields, 'airtmUserEmail'), createdAt: textOf(fields, 'createdAt') };
}

export function readUser(value: unknown, account: string): PaymentUser {
  const fields = fieldsOf(value, 'The user');
  const isActive = textOf(fields, 'status').toLowerCase() === 'active';
  const email = account.includes('@') ? account : findText(fields, 'email');
  return { id: textOf(fields, 'id'), email, isActive, isVerified: isTrue(fields, 'isVerified') };
}

function stateOf<State>(fields: Fields, states: Readonly<Record<string, State>>): State {
  const status = textOf(fields, 'status');
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === undefined) throw new Unreadable(`Unknown status ${status}.`);
  return state;
}

/** Null when the webhook cannot be read. The real provider sends the event's id only in the header; the spec's body contains it. */
export function readEvent(rawBody: Uint8Array | string, headerId: string | null): PaymentEvent | null {
  const body = readJson(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'));
  if (!isFields(body)) return null;
  const type = findText(body, 'eventType') ?? findText(body, 'type');
  const eventId = findText(body, 'eventId') ?? headerId;
  if (type === null || eventId === null) return null;
  try {
    if (Object.hasOwn(PAYIN_EVENTS, type)) {
      return { kind: 'payin', state: PAYIN_EVENTS[type]!, eventId, type, ...dataOf(body) };
    }
    if (Object.hasOwn(PAYOUT_EVENTS, type)) {
      return { kind: 'payout', state: PAYOUT_EVENTS[type]!, eventId, type, ...dataOf(body) };
    }
    return { kind: 'other', eventId, type };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function dataOf(body: Fields) {
  const data = isFields(body.data) ? body.data : {};
  return {
    occurredAt: findText(body, 'occurredAt') ?? findText(data, 'updatedAt'),
    id: textOf(data, 'id'),
    code: findText(data, 'code'),
    amount: findAmount(data, 'amount'),
    reasonCode: findText(data, 'reasonCode'),
    reason: findText(data, 'reasonDescription') ?? findText(data, 'failureReason'),
  };
}

/** The statuses and event names of the provider as our states. */
const PAYIN_STATES: Readonly<Record<string, PayinState>> = {
  CREATED: 'TOPUP_AWAITING_USER_CONFIRMATION',
  PROCESSING: 'TOPUP_PROCESSING',
  CONFIRMED: 'TOPUP_SUCCEEDED',
  FAILED: 'TOPUP_FAILED',
  BRIDGE_FAILED: 'TOPUP_FAILED',
  CANCELED: 'TOPUP_CANCELED',
  BRIDGE_CANCELED: 'TOPUP_CANCELED',
};

const PAYOUT_STATES: Readonly<Record<string, PayoutState>> = {
  CREATED: 'WITHDRAWAL_CREATED',
  COMMITTED: 'WITHDRAWAL_COMMITTED',
  PENDING: 'WITHDRAWAL_PENDING',
  PROCESSING: 'WITHDRAWAL_PENDING',
  PENDING_USER_ACTION: 'WITHDRAWAL_PENDING_USER_ACTION',
  COMPLETED: 'WITHDRAWAL_COMPLETED',
  FAILED: 'WITHDRAWAL_FAILED',
  ERROR: 'WITHDRAWAL_FAILED',
  CANCELED: 'WITHDRAWAL_CANCELED',
};

/** Both spellings: the provider's own names, and those of the spec. */
const PAYIN_EVENTS: Readonly<Record<string, PayinState>> = {
  'payin.created': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'payin.awaiting_user_confirmation': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'payin.processing': 'TOPUP_PROCESSING',
  'payin.confirmed': 'TOPUP_SUCCEEDED',
  'payin.succeeded': 'TOPUP_SUCCEEDED',
  'payin.failed': 'TOPUP_FAILED',
  'payin.canceled': 'TOPUP_CANCELED',
};

const PAYOUT_EVENTS: Readonly<Record<string, PayoutState>> = {
  'payout.created': 'WITHDRAWAL_CREATED',
  'payout.committed': 'WITHDRAWAL_COMMITTED',
  'payout.pending': 'WITHDRAWAL_PENDING',
  'payout.pending_user_action': 'WITHDRAWAL_PENDING_USER_ACTION',
  'payout.completed': 'WITHDRAWAL_COMPLETED',
  'payout.failed': 'WITHDRAWAL_FAILED',
  'payout.canceled': 'WITHDRAWAL_CANCELED',
};

/**
 * The reason codes of the provider. The provider publishes the codes and not their HTTP statuses, so a known code decides, and the
 * status decides only for unknown codes.
 */
export const CODES = {
  payoutNotFound: '415005',
  recipientInactive: '415009',
  floatTooLow: '415016',
  payoutAlreadyProcessed: '415027',
  payinCodeTaken: '415029',
  payinNotCancelable: '415030',
  payinNotFound: '415031',
  payoutNotCancelable: '415055',
  payoutCodeTaken: '415056',
  userNotFound: '415059',
  notFound: '415902',
  invalid: '415906',
} as const;

const DEFINITE: ReadonlySet<string> = new Set(Object.values(CODES));

const codeOf = ({ json }: Reply): string | null => (isFields(json) ? findText(json, 'code') : null);

export function refusalOf(reply: Reply): No | null {
  const { status, json } = reply;
  const code = codeOf(reply);
  if (code === null || !/^415\d{3}$/.test(code)) return null;
  const reason = (isFields(json) && findText(json, 'message')) || `Reason ${code}`;
  // The names of the fields, not their values, which may be personal data.
  const fields = isFields(json) && isFields(json.data) ? Object.keys(json.data).join(', ') : '';
  const shown = code === CODES.invalid && fields !== '' ? `${reason} (${fields})` : reason;
  return DEFINITE.has(code) || isRefusal(status) ? no(shown, { code, status }) : null;
}

/** Needs the provider's own code: a bare 404 may come from a wrong address. */
export const isMissing = (reply: Reply): boolean =>
  [CODES.payinNotFound, CODES.payoutNotFound, CODES.userNotFound, CODES.notFound].some(
    (code) => code === codeOf(reply),
  );

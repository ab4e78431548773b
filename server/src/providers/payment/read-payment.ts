// Payins, payouts and people as the payment provider shows them, read into our form.

import type { Payin, PaymentUser, Payout } from '../payment-port.ts';
import { amountOf, type Fields, fieldsOf, findAmount, findText, isTrue, textOf, Unreadable } from '../reply-fields.ts';
import { PAYIN_STATES, PAYOUT_STATES } from './states.ts';

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

export function readUser(value: unknown): PaymentUser {
  const fields = fieldsOf(value, 'The user');
  const isActive = textOf(fields, 'status').toLowerCase() === 'active';
  return { id: textOf(fields, 'id'), isActive, isVerified: isTrue(fields, 'isVerified') };
}

function stateOf<State>(fields: Fields, states: Readonly<Record<string, State>>): State {
  const status = textOf(fields, 'status');
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (state === undefined) throw new Unreadable(`${status} is no status we know.`);
  return state;
}

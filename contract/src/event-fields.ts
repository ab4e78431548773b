// The building blocks of the event catalogue: the resources, texts, amounts, and the groups of fields that several events share.

import Type from 'typebox';
import { SHOWN } from './api/fields.ts';

export const AGGREGATES = [
  'User',
  'Wallet',
  'Balance',
  'TopUp',
  'Withdrawal',
  'Order',
  'Escrow',
  'Dispute',
  'Approval',
  'Correction',
  'System',
] as const;

type Aggregate = (typeof AGGREGATES)[number];

export const row = <A extends Aggregate, P extends Type.TProperties>(aggregate: A, fields: P) => ({
  aggregate,
  payload: Type.Object(fields),
});

export const text = Type.String();
export const maybe = Type.Optional(text);
export const decimal = Type.String(SHOWN);
export const maybeDecimal = Type.Optional(decimal);
export const textOrNull = Type.Union([text, Type.Null()]);

export const availableChange = { previousAvailableBalance: decimal, newAvailableBalance: decimal };
export const reservedChange = { previousReservedBalance: decimal, newReservedBalance: decimal, ...availableChange };
export const money = { amount: decimal, currency: text };
export const user = {
  userId: text,
  externalUserId: text,
  email: textOrNull,
  name: textOrNull,
  type: text,
  status: text,
};
export const order = { orderId: text };
export const part = { orderId: text, milestoneRef: text };
export const escrow = { escrowId: text, orderId: text };
export const contract = { providerContractId: text, amount: decimal };
export const topup = { topupId: text, userId: text, amount: decimal };
export const withdrawal = { withdrawalId: text, userId: text, amount: decimal };
export const dispute = { disputeId: text, orderId: text };
export const approval = { approvalId: text, action: text, requestedBy: text, amount: maybeDecimal, currency: maybe };
export const decided = { ...approval, decidedBy: text, decidedAt: text };
export const alert = { kind: text, count: Type.Integer(), subjects: Type.Array(text), message: text, since: text };

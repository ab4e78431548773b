// Payouts: money that the enterprise sends to a user. Committing reserves it, completing pays it, failing or cancelling returns it.
// Every change of status is an event of the payout and creates its webhook in the same synchronous step.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Slice } from '../state.ts';
import { type Cents, presentCents } from './cents.ts';
import type { Balance, Balances } from './enterprise-balance.ts';
import { follow, isUnderWay, PAYOUT_MOVES, type PayoutMove, type PayoutStatus } from './moves.ts';
import { problem } from './problems.ts';
import { openRecordIndex, type RecordIndex } from './record-index.ts';
import { idOfUser, type Users } from './users.ts';
import type { Webhooks } from './webhooks.ts';

export type PayoutEvent = { id: string; from: PayoutStatus | null; to: PayoutStatus; at: string; balance: Balance };

export type Payout = {
  id: string;
  code: string | null;
  enterprise: string;
  number: number;
  status: PayoutStatus;
  email: string;
  // The requested amount; the enterprise's own fee is deducted from it.
  grossAmount: Cents;
  enterpriseFee: Cents;
  notes: string;
  internalNote: string | null;
  requireIdVerified: boolean;
  reasonCode: string | null;
  reasonDescription: string | null;
  createdAt: string;
  updatedAt: string;
  events: PayoutEvent[];
};

export type NewPayout = Pick<
  Payout,
  'code' | 'enterprise' | 'email' | 'grossAmount' | 'enterpriseFee' | 'notes' | 'internalNote' | 'requireIdVerified'
>;
export type Reason = { code: string | null; description: string };

export type Payouts = RecordIndex<Payout> & {
  create(wanted: NewPayout): Payout;
  move(payout: Payout, how: { move: PayoutMove; reason?: Reason | undefined; always?: boolean }): Payout;
  // As through the API: afterwards the payout waits if the recipient has to act first.
  commit(payout: Payout): Payout;
};

const REASONS: Partial<Record<PayoutMove, Reason>> = {
  pend: { code: '415912', description: 'Waiting for recipient to create an account' },
  'require-action': { code: '415103', description: 'User is missing required information' },
  fail: { code: '415073', description: "The funds could not be delivered to the user's payment method" },
};

type Tools = { slice: Slice; clock: Clock; balances: Balances; users: Users; webhooks: Webhooks };

export function keepPayouts({ slice, clock, balances, users, webhooks }: Tools): Payouts {
  const records = openRecordIndex(slice.table<Payout>('payouts'));

  const record = (payout: Payout, { from, always }: { from: PayoutStatus | null; always: boolean }) => {
    const { id, code, status, enterprise } = payout;
    const at = clock.iso();
    const event = { id: randomUUID(), from, to: status, at, balance: balances(enterprise).read() };
    const recorded = { ...payout, updatedAt: at, events: [...payout.events, event] };
    records.put(recorded);
    webhooks.announce({ kind: 'payout', status, id, code, enterprise, data: presentPayout(recorded), always });
    return recorded;
  };

  const move: Payouts['move'] = (payout, { move, reason = REASONS[move], always = false }) => {
    const status = follow(PAYOUT_MOVES[move], { status: payout.status, what: `Payout ${payout.id}` });
    const amount = amountOf(payout);
    const balance = balances(payout.enterprise);
    if (status === 'COMMITTED') balance.hold(amount);
    else if (status === 'COMPLETED') balance.pay(amount);
    else if (isUnderWay(payout.status) && !isUnderWay(status)) balance.unhold(amount);
    const { code: reasonCode = null, description: reasonDescription = null } = reason ?? {};
    return record({ ...payout, status, reasonCode, reasonDescription }, { from: payout.status, always });
  };

  return {
    ...records,
    create(wanted) {
      if (wanted.code !== null && records.of(wanted.enterprise).byCode(wanted.code) !== undefined) {
        throw problem('payoutCodeTaken', { code: wanted.code });
      }
      if (users.find(wanted.email)?.status === 'inactive') throw problem('recipientInactive', { email: wanted.email });
      const now = clock.iso();
      const base = {
        ...wanted,
        id: randomUUID(),
        number: records.nextNumber(),
        status: 'CREATED' as const,
        events: [],
      };
      const payout = { ...base, reasonCode: null, reasonDescription: null, createdAt: now, updatedAt: now };
      return record(payout, { from: null, always: false });
    },
    move,
    commit(payout) {
      const committed = move(payout, { move: 'commit' });
      const user = users.find(payout.email);
      if (user === null) return move(committed, { move: 'pend' });
      return payout.requireIdVerified && !user.isVerified ? move(committed, { move: 'require-action' }) : committed;
    },
  };
}

export const amountOf = ({ grossAmount, enterpriseFee }: Payout): Cents => grossAmount - enterpriseFee;

export function presentPayout(payout: Payout) {
  const { id, code, status, email, notes, internalNote, requireIdVerified, createdAt, updatedAt } = payout;
  const amount = presentCents(amountOf(payout));
  return {
    id,
    code,
    airtmUserId: idOfUser(email),
    airtmUserEmail: email,
    requireIdVerified,
    notes,
    ...(internalNote === null ? {} : { internalNote }),
    status,
    grossAmount: presentCents(payout.grossAmount),
    amount,
    netAmount: amount,
    airtmFee: 0,
    enterpriseFee: presentCents(payout.enterpriseFee),
    ...(payout.reasonCode === null ? {} : { reasonCode: payout.reasonCode }),
    ...(payout.reasonDescription === null ? {} : { reasonDescription: payout.reasonDescription }),
    createdAt,
    updatedAt,
  };
}

export function presentEvents({ id: operationId, email, events }: Payout) {
  return events.map(({ id, from, to, at, balance }) => ({
    id,
    operationId,
    userId: idOfUser(email),
    operationType: 'PAYOUT',
    eventType: 'STATUS_CHANGED',
    previousStatus: from ?? to,
    newStatus: to,
    metadata: {},
    availableBalance: presentCents(balance.available),
    pendingBalance: presentCents(balance.pending),
    createdAt: at,
    updatedAt: at,
  }));
}

// Payins: money that a payer owes the enterprise until they confirm. Codes are unique, a payin expires after 15 days, and every
// change of status creates its webhook in the same synchronous step.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Slice } from '../state.ts';
import { type Cents, presentCents } from './cents.ts';
import type { Balances } from './enterprise-balance.ts';
import { follow, PAYIN_MOVES, type PayinMove, type PayinStatus } from './moves.ts';
import { problem } from './problems.ts';
import { openRecordIndex, type RecordIndex } from './record-index.ts';
import type { Webhooks } from './webhooks.ts';

type PayinItem = { id: string; description: string; amount: Cents; quantity: number };

export type Payin = {
  id: string;
  code: string;
  enterprise: string;
  number: number;
  status: PayinStatus;
  amount: Cents;
  description: string;
  items: PayinItem[];
  confirmationUri: string;
  cancelUri: string;
  failureReason: string | null;
  createdAt: string;
  updatedAt: string;
  expiresAtMs: number;
};

export type NewPayin = Pick<
  Payin,
  'code' | 'enterprise' | 'amount' | 'description' | 'items' | 'confirmationUri' | 'cancelUri'
>;

export type Payins = RecordIndex<Payin> & {
  begin(): void;
  create(wanted: NewPayin): Payin;
  move(payin: Payin, how: { move: PayinMove; reason?: string | undefined; always?: boolean }): Payin;
};

const LIFE_MS = 15 * 24 * 60 * 60 * 1000;

type Tools = { slice: Slice; clock: Clock; flush: () => void; balances: Balances; webhooks: Webhooks };

export function keepPayins({ slice, clock, flush, balances, webhooks }: Tools): Payins {
  const records = openRecordIndex(slice.table<Payin>('payins'));

  const announce = (payin: Payin, always: boolean) => {
    const { id, code, status, enterprise } = payin;
    webhooks.announce({ kind: 'payin', status, id, code, enterprise, data: presentPayin(payin), always });
  };

  const move: Payins['move'] = (payin, { move, reason, always = false }) => {
    const status = follow(PAYIN_MOVES[move], { status: payin.status, what: `Payin ${payin.id}` });
    const failureReason = reason ?? (status === 'FAILED' ? 'The payment could not be completed' : payin.failureReason);
    const moved = { ...payin, status, failureReason, updatedAt: clock.iso() };
    if (status === 'CONFIRMED') balances(moved.enterprise).receive(moved.amount);
    records.put(moved);
    announce(moved, always);
    return moved;
  };

  const planExpiry = ({ id, expiresAtMs }: Payin) =>
    clock.at(expiresAtMs, () => {
      const payin = records.get(id);
      if (payin?.status !== 'CREATED') return;
      move(payin, { move: 'cancel', reason: 'The payin expired' });
      flush();
    });

  return {
    ...records,
    begin() {
      records.rebuild();
      for (const payin of records.all()) if (payin.status === 'CREATED') planExpiry(payin);
    },
    create(wanted) {
      if (records.of(wanted.enterprise).byCode(wanted.code) !== undefined)
        throw problem('payinCodeTaken', { code: wanted.code });
      const now = clock.iso();
      const payin: Payin = {
        ...wanted,
        id: randomUUID(),
        number: records.nextNumber(),
        status: 'CREATED',
        failureReason: null,
        createdAt: now,
        updatedAt: now,
        expiresAtMs: clock.now() + LIFE_MS,
      };
      records.put(payin);
      planExpiry(payin);
      announce(payin, false);
      return payin;
    },
    move,
  };
}

export function presentPayin(payin: Payin) {
  const { id, code, status, description, confirmationUri, cancelUri, failureReason, createdAt, updatedAt } = payin;
  const amount = presentCents(payin.amount);
  const items = payin.items.map((item) => ({ ...item, amount: presentCents(item.amount), payinId: id }));
  return {
    id,
    code,
    status,
    amount,
    netAmount: amount,
    airtmFee: 0,
    description,
    items,
    ...(failureReason === null ? {} : { failureReason }),
    createdAt,
    updatedAt,
    confirmationUri,
    cancelUri,
  };
}

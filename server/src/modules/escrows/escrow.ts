// An order's escrow: the contract that holds its money on the ledger, the wallets that sign for it, and the calls made so far.
// Commands change its state only by the rows of its machine.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { EscrowStatus } from '@holdfast/contract/states.ts';
import { transition } from '../../base/machine.ts';
import { type Amount, fromUnits, sumOf } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import { ESCROW_MACHINE, type EscrowTrigger } from './machine.ts';

/** Decided once, when the escrow is created; every later call uses it. */
type ContractType = 'single-release' | 'multi-release';

export type EscrowParty = { readonly walletId: string; readonly address: string };

/** The calls of an escrow contract, by name. */
export type CallName =
  | 'deploy'
  | 'fund'
  | 'change-status'
  | 'approve'
  | 'release'
  | 'dispute'
  | 'resolve'
  | 'withdraw-remaining';

/** A call that is on the ledger. Units of 10^-7 as text, because it is stored as JSON. */
export type DoneCall = {
  readonly call: CallName;
  /** Null where the call is about the whole contract. */
  readonly milestone: number | null;
  /** Of a deployment: the contract's address. */
  readonly contractId?: string;
  /** Of a funding that pays what an earlier one left open: its number, from 2. */
  readonly part?: number;
  /** Of a funding: what arrived in the contract. Absent in old rows, where it counts as the whole amount. */
  readonly units?: string;
  /** Of a resolution: the share of each side. */
  readonly sellerUnits?: string;
  readonly buyerUnits?: string;
};

export type Escrow = {
  readonly id: string;
  readonly orderId: string;
  readonly status: EscrowStatus;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly contractType: ContractType;
  readonly providerContractId: string | null;
  readonly buyer: EscrowParty;
  readonly seller: EscrowParty;
  readonly platform: EscrowParty;
  readonly platformFeeBps: number;
  /** As the API shows them. */
  readonly terms: { readonly milestones_required: true } | null;
  /** In the order they happened. A later attempt continues after them. */
  readonly calls: readonly DoneCall[];
  /** The transaction of the open call; there is at most one. */
  readonly transactionId: string | null;
  /** True after a failed attempt: the row is kept for its contract and is no longer the order's escrow. */
  readonly setAside: boolean;
  readonly fundedAt: string | null;
  readonly releasedAt: string | null;
  readonly refundedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What tells the calls of one contract apart. */
export type CallIdentity = Pick<DoneCall, 'call' | 'milestone' | 'part'>;

export const callKey = ({ call, milestone, part = 1 }: CallIdentity): string => {
  const key = milestone === null ? call : `${call}:${milestone}`;
  return part === 1 ? key : `${key}:part-${part}`;
};

export const isCalled = ({ calls }: Pick<Escrow, 'calls'>, one: CallIdentity): boolean =>
  calls.some((done) => callKey(done) === callKey(one));

/** The fundings that are on the ledger. More than one: the first one moved less than the amount. */
export const fundingsOf = ({ calls }: Pick<Escrow, 'calls'>): readonly DoneCall[] =>
  calls.filter(({ call }) => call === 'fund');

/** What our fundings have brought into the contract. */
export const paidIn = (escrow: Pick<Escrow, 'calls' | 'amount'>): Amount =>
  sumOf(fundingsOf(escrow).map(({ units }) => (units === undefined ? escrow.amount : fromUnits(BigInt(units)))));

/** The address of the deployed contract; null while none is deployed. */
export const deployedContract = ({ calls }: Pick<Escrow, 'calls'>): string | null =>
  calls.find(({ call }) => call === 'deploy')?.contractId ?? null;

export const contractTypeFor = (milestones: number): ContractType =>
  milestones > 1 ? 'multi-release' : 'single-release';

/** Refuses when the escrow's state does not allow the trigger. */
export const escrowRow = <On extends EscrowTrigger>(escrow: Escrow, on: On) =>
  transition(ESCROW_MACHINE, { from: escrow.status, on });

export const putEscrow = (work: UnitOfWork, escrow: Escrow): Escrow => {
  const changed = { ...escrow, updatedAt: work.now };
  work.put('escrows', changed);
  return changed;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    escrows: Escrow;
  }
  interface Lookups {
    escrows: { order: string };
  }
}

/** The lookup `order` includes escrows that were set aside. */
export const ESCROWS = table('escrows', {
  notFound: 'INTERNAL_ERROR',
  sql: 'escrows',
  columns: [
    'id',
    'orderId',
    'status',
    'amount',
    'currency',
    'contractType',
    'providerContractId',
    'buyer',
    'seller',
    'platform',
    'platformFeeBps',
    'terms',
    'calls',
    'transactionId',
    'setAside',
    'fundedAt',
    'releasedAt',
    'refundedAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
});

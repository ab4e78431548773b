// What the errands share: what they are given, and what an attempt can come to.

import type { Command, Context, Submit } from '../../../commit/command.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { EscrowCalls } from '../../../ledger/transactions/escrow-calls.ts';
import type { Cover } from '../../../ledger/treasury/fund-wallet.ts';
import type { EscrowProvider, LedgerAsset } from '../../../providers/ports.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OrderView } from '../../orders/order-view.ts';

export type Place = { readonly marketplaceId: string; readonly operationId: string };

export type ErrandParts = {
  readonly submit: Submit;
  readonly calls: EscrowCalls;
  readonly cover: Cover;
  /** Null: there is none, so nothing can be asked. */
  readonly escrow: Pick<EscrowProvider, 'findByContract' | 'findByEngagement'> | null;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
};

/** An operation and its order as they are stored now. */
export type Errand = {
  readonly marketplaceId: string;
  readonly operation: Operation;
  readonly view: OrderView & { readonly escrow: NonNullable<OrderView['escrow']> };
  /** Of whoever asked for it, also when somebody else carries it on. */
  readonly context: Context;
};

export type Outcome =
  | { readonly kind: 'done' }
  /** Certainly refused, and undone. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not known, or not to be had now: it is tried again. `isAnswered`: the caller has nothing to wait for. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly isAnswered?: boolean; readonly isBusy?: boolean };

export const DONE: Outcome = { kind: 'done' };

export type Waiting = Extract<Outcome, { kind: 'waiting' }>;

export const waiting = (reason: string): Waiting => ({ kind: 'waiting', reason });

/** Not a matter of the outside systems: the next attempt will see it, so the caller goes on waiting. */
export const busy = (reason = 'Somebody else is at work on it.'): Waiting => ({ ...waiting(reason), isBusy: true });

/** Submits a command on behalf of whoever asked for the operation. */
export const carryOn = async <Input, Reply>(
  { submit }: Pick<ErrandParts, 'submit'>,
  { context }: Pick<Errand, 'context'>,
  { command, input }: { command: Command<Input, Reply>; input: Input },
): Promise<Reply> => {
  const outcome = await submit({ command, input, context });
  if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
  return outcome.reply;
};

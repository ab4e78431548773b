// What the errands share: what they are given, and what an attempt can come to.

import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import type { EscrowCalls } from '../../ledger/transactions/escrow-calls.ts';
import type { FundWallet } from '../../ledger/treasury/fund-wallet.ts';
import type { EscrowProvider, LedgerAsset } from '../../providers/ports.ts';
import type { OrderView } from '../orders/order-view.ts';
import type { Operation } from './operation.ts';

export type OperationPlace = { readonly marketplaceId: string; readonly operationId: string };

export type EscrowParts = {
  readonly submit: Submit;
  readonly calls: EscrowCalls;
  readonly fundWallet: FundWallet;
  /** Null: there is none, so nothing can be asked. */
  readonly escrow: Pick<EscrowProvider, 'findByContract' | 'findByEngagement'> | null;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
};

/** An operation and its order as they are stored now. */
export type OperationContext = {
  readonly marketplaceId: string;
  readonly operation: Operation;
  readonly view: OrderView & { readonly escrow: NonNullable<OrderView['escrow']> };
  /** Of whoever asked for it, also when somebody else carries it on. */
  readonly context: Context;
};

export type OperationOutcome =
  | { readonly kind: 'done' }
  /** Certainly refused, and undone. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not known, or not to be had now: it is tried again. `isAnswered`: the caller has nothing to wait for. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly isAnswered?: boolean; readonly isBusy?: boolean };

export const DONE: OperationOutcome = { kind: 'done' };

export type Waiting = Extract<OperationOutcome, { kind: 'waiting' }>;

export const waiting = (reason: string): Waiting => ({ kind: 'waiting', reason });

/** Not a matter of the outside systems: the next attempt will see it, so the caller goes on waiting. */
export const busy = (reason = 'Somebody else is at work on it.'): Waiting => ({ ...waiting(reason), isBusy: true });

/** Submits a command in the name of the caller who requested the operation. */
export const submitFor = <Input, Reply>(
  { submit }: { readonly submit: Submit },
  { context }: Pick<OperationContext, 'context'>,
  { command, input }: { command: Command<Input, Reply>; input: Input },
): Promise<Reply> => runCommand(submit, { command, input, context });

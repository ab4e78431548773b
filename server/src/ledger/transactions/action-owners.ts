// What a transaction does to the rows that it is for. The escrows and withdrawals modules own those rows and say it here; the
// ledger itself knows only addresses and amounts. Everything here runs inside commands, so it must stay pure.

import { InternalRefusal } from '../../base/domain-error.ts';
import type { Amount } from '../../books/money.ts';
import type { Need, Needs, UnitOfWork } from '../../commit/command.ts';
import type { EscrowAction } from './contract-moves.ts';
import type { LedgerAction } from './ledger-transaction.ts';
import type { Ending } from './settle-transaction.ts';

/** The rows no longer allow the action: another process has carried it out, or the operation it belongs to has ended. */
export class ActionRefused extends InternalRefusal {}

type WithdrawalAction = Extract<LedgerAction, { type: 'pay' }> & { readonly withdrawalId: string };

export type ActionOwner<Action> = {
  beginNeeds(action: Action): readonly Need[];
  /** The transaction is signed and not sent yet. Throws ActionRefused when it must never be sent. */
  begin(work: UnitOfWork, begun: { readonly action: Action; readonly transactionId: string }): void;
  endNeeds(action: Action): readonly Need[];
  endNeedsNext?(work: UnitOfWork, action: Action): Needs;
  /** The outcome of the transaction is certain. */
  end(
    work: UnitOfWork,
    ended: { readonly action: Action; readonly transactionId: string; readonly ending: Ending },
  ): void;
};

export type WithdrawalPaid = {
  readonly withdrawalId: string;
  readonly address: string;
  readonly amount: Amount;
  readonly transactionId: string;
};

export type ActionOwners = {
  readonly escrow: ActionOwner<EscrowAction>;
  readonly withdrawal: ActionOwner<WithdrawalAction> & {
    /** Books what the ledger paid from one of our addresses. */
    book(work: UnitOfWork, paid: WithdrawalPaid): void;
  };
};

export const isWithdrawal = (action: LedgerAction): action is WithdrawalAction =>
  action.type === 'pay' && action.withdrawalId !== undefined;

const bind = <Action>(owner: ActionOwner<Action>, action: Action) => ({
  beginNeeds: () => owner.beginNeeds(action),
  begin: (work: UnitOfWork, transactionId: string) => owner.begin(work, { action, transactionId }),
  endNeeds: () => owner.endNeeds(action),
  endNeedsNext: (work: UnitOfWork) => owner.endNeedsNext?.(work, action) ?? {},
  end: (work: UnitOfWork, of: { transactionId: string; ending: Ending }) => owner.end(work, { action, ...of }),
});

/** The actions that are for rows of a module, each with what its module does. */
export const ownedActions = (owners: ActionOwners, actions: readonly LedgerAction[]) =>
  actions.flatMap((action) => {
    if (action.type === 'escrow') return [bind(owners.escrow, action)];
    return isWithdrawal(action) ? [bind(owners.withdrawal, action)] : [];
  });

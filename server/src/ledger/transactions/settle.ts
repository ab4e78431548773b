// Writes what became of a transaction into the books. When they know of less at an address than it spent, what came in there
// is taken in first; what nothing explains then is booked as such, so that no wallet stays locked.

import { isDomainError } from '../../base/domain-error.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { LedgerTransactionReads } from './queries.ts';
import { type Ending, settleTransaction } from './settle-transaction.ts';

export type SettlingOptions = {
  readonly submit: Submit;
  readonly transactions: Pick<LedgerTransactionReads, 'isExpected'>;
  /** Takes what came in at an address into the books; false when it could not look. */
  applyDeposits(place: { marketplaceId: string; address: string }): Promise<boolean>;
};

type Ask = {
  readonly context: Context;
  readonly transaction: LedgerTransaction;
  readonly ending: Ending;
  /** Another transaction on its way may bring the explanation: it is not waited for any longer. */
  readonly isLastTry: boolean;
};

export const stateIn = (error: unknown): unknown => (isDomainError(error) ? error.details.currentState : null);

export const createSettling = ({ submit, transactions, applyDeposits }: SettlingOptions) => {
  const attempt = async (
    { context, transaction, ending }: Ask,
    depositsApplied: boolean,
  ): Promise<LedgerTransaction> => {
    const input = { transaction, ending, depositsApplied };
    const outcome = await submit({ command: settleTransaction, input, context });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply;
  };

  /** Fails while something that could explain the spending may still come into the books. */
  const applyAllDeposits = async ({
    context: { marketplaceId },
    transaction,
    ending,
    isLastTry,
  }: Ask): Promise<void> => {
    const payers = new Set([transaction.source, ...('feeAccount' in ending ? [ending.feeAccount] : [])]);
    for (const address of payers) {
      if (!(await applyDeposits({ marketplaceId, address })))
        throw new Error(`the deposits of ${address} could not be looked for`);
      const isExpected = await transactions.isExpected({ marketplaceId, address, besides: transaction.id });
      if (isExpected && !isLastTry) throw new Error(`a payment to ${address} is on its way and not in the books yet`);
    }
  };

  /** The transaction as it is afterwards, whoever settled it. */
  return async (ask: Ask): Promise<LedgerTransaction> => {
    try {
      return await attempt(ask, false);
    } catch (error) {
      if (stateIn(error) !== 'BOOKS_BEHIND') throw error;
      await applyAllDeposits(ask);
      return attempt(ask, true);
    }
  };
};

// Writes the outcome of a transaction into the books. When the books hold less at an address than it spent, its deposits are
// recorded first. What they do not explain is then booked as unexplained, so that no wallet stays locked.

import type { Answer } from '../../base/answer.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { LedgerTransactionReads, OpenTransaction } from './queries.ts';
import type { Ending, SettleTransaction } from './settle-transaction.ts';
import { BooksBehind } from './wallet-payment.ts';

export type SettlingOptions = {
  readonly submit: Submit;
  readonly transactions: Pick<LedgerTransactionReads, 'isExpected'>;
  /** Records the deposits at an address; false when they could not be read. */
  applyDeposits(place: { marketplaceId: string; address: string }): Promise<boolean>;
  /** Adopts transactions of our wallets that the ledger has and the rows lack; see adoption.ts. */
  adopt(place: OpenTransaction): Promise<Answer<null>>;
};

type SettleRequest = {
  readonly context: Context;
  readonly transaction: LedgerTransaction;
  readonly ending: Ending;
  /** Another open transaction may explain the spending: do not wait for it any longer. */
  readonly isLastTry: boolean;
  /** Of a transaction that is adopted. While earlier ones are missing in the books, no spending counts as unexplained. */
  readonly adoption?: { readonly isComplete: boolean };
};

/** Returns the transaction as it is stored afterwards, also when another process settled it. */
export type Settle = (request: SettleRequest) => Promise<LedgerTransaction>;

export const createSettling = (command: SettleTransaction, options: SettlingOptions): Settle => {
  const { submit, transactions, applyDeposits, adopt } = options;

  const attempt = ({ context, transaction, ending }: SettleRequest, depositsApplied: boolean) =>
    runCommand(submit, { command, input: { transaction, ending, depositsApplied }, context });

  /** Throws while a payment that could explain the spending may still come into the books. */
  const applyAllDeposits = async (request: SettleRequest): Promise<void> => {
    const { transaction, ending, isLastTry, adoption } = request;
    const { marketplaceId } = request.context;
    const payers = new Set([transaction.source, ...('feeAccount' in ending ? [ending.feeAccount] : [])]);
    for (const address of payers) {
      const adopted = adoption ? null : await adopt({ marketplaceId, source: address });
      if (adopted && adopted.kind !== 'yes') throw new Error(adopted.reason);
      if (!(await applyDeposits({ marketplaceId, address }))) {
        throw new Error(`the deposits of ${address} could not be read`);
      }
      const isExpected = await transactions.isExpected({ marketplaceId, address, besides: transaction.id });
      if (isExpected && !isLastTry) throw new Error(`a payment to ${address} is open and not in the books yet`);
    }
  };

  return async (request) => {
    try {
      return await attempt(request, false);
    } catch (error) {
      if (!(error instanceof BooksBehind)) throw error;
      await applyAllDeposits(request);
      return attempt(request, request.adoption?.isComplete ?? true);
    }
  };
};

// Pays a withdrawal over the ledger from the user's custodial wallet. What the wallet lacks comes from the treasury first;
// the payment itself is kept before it is sent, and whoever settles it ends the withdrawal in the same commit.

import { isDomainError } from '../../base/domain-error.ts';
import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import { assetOf, type Wallet } from '../../ledger/keys/wallet.ts';
import type { EscrowCalls } from '../../ledger/transactions/escrow-calls.ts';
import type { LedgerAction } from '../../ledger/transactions/ledger-transaction.ts';
import type { TransactionSender } from '../../ledger/transactions/transaction-sender.ts';
import type { Activation } from '../../ledger/treasury/activation.ts';
import type { FundWallet } from '../../ledger/treasury/fund-wallet.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { timedOut } from './payout-answers.ts';
import type { PayOut } from './provider-payout.ts';
import { isUnderWay, restOf, type Withdrawal } from './withdrawal.ts';

export type LedgerPayoutOptions = {
  readonly submit: Submit;
  readonly fundWallet: FundWallet;
  readonly send: TransactionSender['send'];
  readonly resume: TransactionSender['resume'];
  readonly activation: Pick<Activation, 'waitUntilActive'>;
  /** Keeps refused envelopes of a wallet out for good; see escrow-calls.ts. */
  readonly consumeSequence: EscrowCalls['consumeSequence'];
  /** Refused before they were in any ledger, and so young that they might still come into one. */
  rejectedOf(place: { marketplaceId: string; source: string }): Promise<readonly unknown[]>;
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  find(marketplaceId: string, withdrawalId: string): Promise<Withdrawal | null>;
};

const ROUNDS = 3;
const ACTIVATION_WAIT_MS = 10_000;

/** Words of the rows themselves: somebody else pays the same withdrawal, or it is over. */
const MEANWHILE = new Set(['PAYMENT_OPEN', 'WITHDRAWAL_OVER']);

const paymentOf = (withdrawal: Withdrawal): LedgerAction => ({
  type: 'pay',
  to: withdrawal.address ?? '',
  asset: assetOf(withdrawal.currency),
  currency: withdrawal.currency,
  units: String(restOf(withdrawal)),
  paymentId: null,
  outside: true,
  withdrawalId: withdrawal.id,
});

export const createLedgerPayout = (options: LedgerPayoutOptions): PayOut => {
  const { submit, fundWallet, send, resume } = options;
  const run = <Input, Reply>(context: Context, command: Command<Input, Reply>, input: Input): Promise<Reply> =>
    runCommand(submit, { command, input, context });

  const reload = async ({ marketplaceId }: Context, { id }: Withdrawal): Promise<Withdrawal> => {
    const found = await options.find(marketplaceId, id);
    if (found) return found;
    throw new Error(`the withdrawal ${id} is gone`);
  };

  /** An envelope that was refused may still be taken while its number is free. */
  const requireCertain = async ({ marketplaceId }: Context, withdrawal: Withdrawal, wallet: Wallet): Promise<void> => {
    const rejected = await options.rejectedOf({ marketplaceId, source: wallet.address });
    if (rejected.length === 0) return;
    const voided = await options.consumeSequence({ marketplaceId, wallet });
    if (voided.kind !== 'yes') throw timedOut(withdrawal, `A refused payment may still be taken: ${voided.reason}`);
  };

  type Giving = { readonly wallet: Wallet | null; readonly reason: string };

  const fail = async (context: Context, withdrawal: Withdrawal, { wallet, reason }: Giving): Promise<Withdrawal> => {
    if (wallet) await requireCertain(context, withdrawal, wallet);
    try {
      return await run(context, failWithdrawal, { withdrawalId: withdrawal.id, reason, code: null });
    } catch (error) {
      // Another process has sent a payment meanwhile.
      if (isDomainError(error) && error.details.currentState === 'PAYMENT_OPEN')
        throw timedOut(withdrawal, error.message);
      throw error;
    }
  };

  /** The wallet that pays; a new user's may still be on its way to the ledger. */
  const payerOf = async ({ marketplaceId }: Context, withdrawal: Withdrawal): Promise<Wallet | null> => {
    const walletId = withdrawal.walletId ?? '';
    const wallet = await options.findWallet(marketplaceId, walletId);
    if (wallet === null || wallet.status === 'ACTIVE') return wallet;
    const active = await options.activation.waitUntilActive({ marketplaceId, walletId }, ACTIVATION_WAIT_MS);
    if (active) return active;
    throw timedOut(withdrawal, 'The wallet is not active on the ledger yet.');
  };

  /** What was sent before is finished first: until then the money may be gone from the wallet, and must not be covered. */
  const finishOpen = async (context: Context, withdrawal: Withdrawal, wallet: Wallet): Promise<Withdrawal> => {
    if (withdrawal.transactionId === null) return withdrawal;
    await resume({ marketplaceId: context.marketplaceId, source: wallet.address });
    const now = await reload(context, withdrawal);
    if (!isUnderWay(now) || now.transactionId === null) return now;
    throw timedOut(now, 'Its payment is on its way to the ledger.');
  };

  /** Null: it may be sent. */
  const covered = async (context: Context, withdrawal: Withdrawal, wallet: Wallet): Promise<Withdrawal | null> => {
    const { id: reference, currency } = withdrawal;
    const { marketplaceId } = context;
    const { id: walletId } = wallet;
    const answer = await fundWallet({ marketplaceId, walletId, currency, amount: restOf(withdrawal), reference });
    if (answer.kind === 'yes') return null;
    if (answer.kind === 'no') return fail(context, withdrawal, { wallet, reason: answer.reason });
    throw timedOut(withdrawal, answer.reason);
  };

  const pay = async (context: Context, withdrawal: Withdrawal, wallet: Wallet): Promise<Withdrawal> => {
    const refusal = await covered(context, withdrawal, wallet);
    if (refusal) return refusal;
    const { marketplaceId } = context;
    const sent = await send({ marketplaceId, wallet, purpose: 'withdrawal', actions: [paymentOf(withdrawal)] });
    if (sent.kind === 'unknown') throw timedOut(withdrawal, sent.reason);
    const isRefused = sent.kind === 'no' && (sent.why === 'refused' || sent.why === 'rejected');
    if (isRefused && !MEANWHILE.has(sent.code ?? '')) return fail(context, withdrawal, { wallet, reason: sent.reason });
    return reload(context, withdrawal);
  };

  /** Another round for an envelope whose time ran out, and for a payment that did not pay all of it. */
  return async (context, withdrawal) => {
    const wallet = await payerOf(context, withdrawal);
    if (!wallet) {
      return fail(context, withdrawal, { wallet, reason: 'The wallet that was to pay is not kept here.' });
    }
    let now = withdrawal;
    for (let round = 0; round < ROUNDS && isUnderWay(now); round++) {
      now = await finishOpen(context, now, wallet);
      if (isUnderWay(now)) now = await pay(context, now, wallet);
    }
    if (isUnderWay(now)) throw timedOut(now, 'The ledger took none of its payments in time.');
    return now;
  };
};

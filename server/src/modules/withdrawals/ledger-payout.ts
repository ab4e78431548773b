// Pays a withdrawal over the ledger from the user's custodial wallet. The treasury funds the wallet first. The payment is stored
// before it is sent, and its settlement ends the withdrawal in the same commit.

import { DomainError } from '../../base/domain-error.ts';
import type { Context, Submit } from '../../commit/command.ts';
import { assetOf, type Wallet } from '../../ledger/keys/wallet.ts';
import type { LedgerAction } from '../../ledger/transactions/ledger-transaction.ts';
import type { TransactionSender } from '../../ledger/transactions/transaction-sender.ts';
import type { Activation } from '../../ledger/treasury/activation.ts';
import type { FundWallet } from '../../ledger/treasury/fund-wallet.ts';
import type { CatchUp } from './catch-up.ts';
import { failUnlessPaying } from './end-withdrawal.ts';
import type { CheckReceiver } from './ledger-destination.ts';
import { timedOut } from './payout-update.ts';
import type { PayOut } from './provider-payout.ts';
import { isUnderWay, restOf, type Withdrawal } from './withdrawal.ts';

type LedgerPayoutOptions = {
  readonly submit: Submit;
  readonly checkReceiver: CheckReceiver;
  readonly catchUp: CatchUp;
  readonly fundWallet: FundWallet;
  readonly send: TransactionSender['send'];
  readonly resume: TransactionSender['resume'];
  readonly activation: Pick<Activation, 'waitUntilActive'>;
  /** Makes rejected envelopes of a wallet invalid for good. */
  readonly voidRejected: TransactionSender['voidRejected'];
  findWallet(marketplaceId: string, walletId: string): Promise<Wallet | null>;
  find(marketplaceId: string, withdrawalId: string): Promise<Withdrawal | null>;
};

type Target = { readonly context: Context; readonly withdrawal: Withdrawal; readonly wallet: Wallet };

const ROUNDS = 3;
const ACTIVATION_WAIT_MS = 10_000;

/** The payment as the row asks for it. */
const paymentOf = (withdrawal: Withdrawal): LedgerAction => ({
  type: 'pay',
  to: withdrawal.address ?? '',
  asset: assetOf(withdrawal.currency),
  currency: withdrawal.currency,
  units: String(restOf(withdrawal)),
  paymentId: null,
  outside: true,
  withdrawalId: withdrawal.id,
  ...(withdrawal.memo === null || withdrawal.memoType === null
    ? {}
    : { memo: { type: withdrawal.memoType, value: withdrawal.memo } }),
});

/** The wallet that pays. The wallet of a new user may not be active on the ledger yet. */
const findPayer = async (
  { findWallet, activation }: LedgerPayoutOptions,
  { context: { marketplaceId }, withdrawal }: Omit<Target, 'wallet'>,
): Promise<Wallet | null> => {
  const walletId = withdrawal.walletId ?? '';
  const wallet = await findWallet(marketplaceId, walletId);
  if (wallet === null || wallet.status === 'ACTIVE') return wallet;
  // The withdrawal is committed: it waits, also for another day, and a job continues it.
  const active = await activation
    .waitUntilActive({ marketplaceId, walletId }, ACTIVATION_WAIT_MS)
    .catch((error: unknown) => {
      throw error instanceof DomainError ? timedOut(withdrawal, error.message) : error;
    });
  if (active) return active;
  throw timedOut(withdrawal, 'The wallet is not active on the ledger yet.');
};

/** Ends the withdrawal as failed, once none of its payments can succeed any more. */
const createFailure = ({ submit, voidRejected, catchUp }: LedgerPayoutOptions) => {
  return async (target: Omit<Target, 'wallet'> & { wallet: Wallet | null }, reason: string): Promise<Withdrawal> => {
    const { context, withdrawal, wallet } = target;
    const voided = wallet && (await voidRejected({ marketplaceId: context.marketplaceId, wallet }));
    if (voided && voided.kind !== 'yes') {
      throw timedOut(withdrawal, `A rejected payment may still be included: ${voided.reason}`);
    }
    // In a database that is older than the ledger the withdrawal may be paid already.
    await catchUp(context, withdrawal);
    return failUnlessPaying(submit, { context, withdrawal, reason, code: null });
  };
};

const createPayment = (options: LedgerPayoutOptions, fail: ReturnType<typeof createFailure>) => {
  const { checkReceiver, fundWallet, send, resume, find } = options;

  const reload = async ({ context: { marketplaceId }, withdrawal: { id } }: Target): Promise<Withdrawal> => {
    const found = await find(marketplaceId, id);
    if (found) return found;
    throw new Error(`the withdrawal ${id} does not exist`);
  };

  return {
    /** Finishes an earlier payment first: until then the wallet may have spent the money, and must not be funded again. */
    async finishOpen(target: Target): Promise<Withdrawal> {
      const { context, withdrawal, wallet } = target;
      if (withdrawal.transactionId === null) return withdrawal;
      await resume({ marketplaceId: context.marketplaceId, source: wallet.address });
      const now = await reload(target);
      if (!isUnderWay(now) || now.transactionId === null) return now;
      throw timedOut(now, 'The payment is in progress on the ledger.');
    },

    async pay(target: Target): Promise<Withdrawal> {
      const { withdrawal, wallet } = target;
      const { marketplaceId } = target.context;
      const { id: reference, currency } = withdrawal;
      const amount = restOf(withdrawal);
      const { address, memo } = withdrawal;
      // The account may have changed since the withdrawal was created, and perhaps it was not checked then.
      const receiver = await checkReceiver({ address: address ?? '', memo, currency, amount });
      if (receiver.kind === 'no') return fail(target, `The destination cannot be paid: ${receiver.reason}`);
      if (receiver.kind === 'unknown') throw timedOut(withdrawal, receiver.reason);
      const funded = await fundWallet({ marketplaceId, walletId: wallet.id, currency, amount, reference });
      if (funded.kind === 'no') return fail(target, funded.reason);
      if (funded.kind === 'unknown') throw timedOut(withdrawal, funded.reason);
      const sent = await send({ marketplaceId, wallet, purpose: 'withdrawal', actions: [paymentOf(withdrawal)] });
      if (sent.kind === 'unknown') throw timedOut(withdrawal, sent.reason);
      const isRefused = sent.kind === 'no' && (sent.why === 'refused' || sent.why === 'rejected');
      return isRefused ? fail(target, sent.reason) : reload(target);
    },
  };
};

/** Makes another attempt after an envelope has expired, and after a payment of only a part. */
export const createLedgerPayout = (options: LedgerPayoutOptions): PayOut => {
  const fail = createFailure(options);
  const { finishOpen, pay } = createPayment(options, fail);
  return async (context, withdrawal) => {
    const wallet = await findPayer(options, { context, withdrawal });
    if (!wallet) return fail({ context, withdrawal, wallet }, 'The wallet that was to pay does not exist.');
    let now = withdrawal;
    for (let round = 0; round < ROUNDS && isUnderWay(now); round++) {
      now = await finishOpen({ context, withdrawal: now, wallet });
      if (isUnderWay(now)) now = await pay({ context, withdrawal: now, wallet });
    }
    if (isUnderWay(now)) throw timedOut(now, 'The ledger included none of the payments in time.');
    return now;
  };
};

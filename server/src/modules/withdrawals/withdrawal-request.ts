// Checks a new withdrawal before its money is reserved: its body, and its destination at the payment provider or on the ledger. It
// changes nothing, and the command checks the user again.

import { isPayable, PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType, MemoType } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { accountOf, isMuxed } from '../../base/ledger-address.ts';
import { settingAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { type AmountLimits, amountWithin } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import type { User } from '../users/user.ts';
import type { CreateWithdrawalInput } from './create-withdrawal.ts';
import type { CheckReceiver } from './ledger-destination.ts';
import { memoOf, memoProblems } from './memo.ts';
import { findPayee } from './payee.ts';
import { PAYMENT } from './payout-update.ts';

type WithdrawalRequest = Pick<CreateWithdrawalInput, 'userId' | 'amount' | 'currency' | 'commit'> & {
  readonly destination: {
    readonly type: CreateWithdrawalInput['destinationType'];
    readonly ref: string | null;
    readonly address: string | null;
    readonly memo: string | null;
    readonly memoType: MemoType | null;
    readonly email: string | null;
  };
};

type WithdrawalBody = {
  readonly userId: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly destination: {
    readonly type: DestinationType;
    readonly ref?: string;
    readonly address?: string;
    readonly memo?: string;
    readonly memoType?: MemoType;
    readonly email?: string;
  };
  readonly commit?: boolean;
};

export const withdrawalRules = ({ money }: Pick<Config, 'money'>): AmountLimits => ({
  amountMin: settingAmount(money.withdrawalAmountMin),
  amountMax: settingAmount(money.withdrawalAmountMax),
});

const problemsOf = ({ currency, destination }: WithdrawalBody): string[] => {
  const { type, address, email } = destination;
  const memo = memoProblems(destination);
  // A field of another destination type means that the caller wants that type.
  if (type === 'crypto')
    return [...memo, ...(email === undefined ? [] : ['destination.email does not belong to crypto'])];
  return [
    ...memo,
    ...(address === undefined ? [] : [`destination.address does not belong to ${type}`]),
    ...(isPayable(currency) ? [] : [`currency must be one of ${PAYABLE_CURRENCIES.join(', ')}, or type crypto`]),
  ];
};

/**
 * Checks what the schema cannot express: an amount within the limits, a currency that the destination can receive, and only the fields
 * that belong to the destination type.
 */
export const withdrawalRequest = (body: WithdrawalBody, rules: AmountLimits): WithdrawalRequest => {
  const problems = problemsOf(body);
  if (problems.length > 0) throw validationError(problems);
  const { userId, currency, commit = false } = body;
  const { type, ref = null, address = null, email = null } = body.destination;
  return {
    userId,
    amount: amountWithin(body.amount, { ...rules, of: 'a withdrawal', currency }),
    currency,
    commit,
    destination: {
      type,
      ref,
      address: type === 'crypto' ? (address ?? ref) : null,
      email,
      ...memoOf(body.destination),
    },
  };
};

export type DestinationOptions = {
  readonly accounts: Pick<PaymentAccounts, 'current'>;
  /** Whether the account on the ledger can receive the payment. */
  readonly checkReceiver: CheckReceiver;
  findUser(marketplaceId: string, userId: string): Promise<User | null>;
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  findByAddress(marketplaceId: string, address: string): Promise<Wallet | null>;
};

/** The input of the create command without what the float adds. */
type CheckedWithdrawal = Omit<CreateWithdrawalInput, 'isFloatOpened'>;

type Found = Pick<CreateWithdrawalInput, 'address' | 'memo' | 'memoType' | 'email' | 'walletId'>;

const NO_DESTINATION: Found = { address: null, email: null, walletId: null };

export type Destinations = ReturnType<typeof createDestinations>;

const invalid = ({ destination: { type } }: WithdrawalRequest, reason: string): DomainError =>
  new DomainError('WITHDRAWAL_DESTINATION_INVALID', {
    message: `This destination cannot be paid: ${reason} The balance is unchanged.`,
    details: { destinationType: type, reason },
  });

const uncheckable = (provider: string, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The destination could not be checked. The balance is unchanged; try again in a few seconds.',
    details: { provider, reason },
  });

export const createDestinations = (options: DestinationOptions) => {
  const { accounts, checkReceiver } = options;

  const throughProvider = async (
    user: User,
    { marketplaceId, request }: { marketplaceId: string; request: WithdrawalRequest },
  ): Promise<Found> => {
    const payment = await accounts.current(marketplaceId);
    if (!payment) {
      throw new DomainError('INTERNAL_ERROR', {
        message: 'No payment provider is set. Set PAYMENT_PROVIDER_URL.',
      });
    }
    const email = await findPayee(user, {
      payment,
      destination: request.destination,
      invalid: (reason) => invalid(request, reason),
      away: (reason) => uncheckable(PAYMENT, reason),
    });
    return { email, address: null, walletId: null };
  };

  /**
   * A payment to the payer's own address, or to a platform wallet, would not take money out. Our wallets have no muxed users, so a
   * payment to a muxed form of one would not be credited.
   */
  const requireOutside = async (
    request: WithdrawalRequest,
    { marketplaceId, payer }: { marketplaceId: string; payer: Wallet },
  ): Promise<void> => {
    const address = request.destination.address ?? '';
    const known = await options.findByAddress(marketplaceId, accountOf(address) ?? '');
    if (known?.type !== 'INVISIBLE') return;
    if (known.id === payer.id || known.owner !== 'user') throw invalid(request, 'it is an address of our own.');
    if (isMuxed(address)) throw invalid(request, `it is a muxed form of one of our wallets: use ${known.address}.`);
  };

  const overLedger = async (marketplaceId: string, request: WithdrawalRequest): Promise<Found> => {
    const { address, memo, memoType } = request.destination;
    if (address === null) throw invalid(request, 'it needs an address.');
    if (accountOf(address) === null) throw invalid(request, 'it is not the address of an account.');
    const wallet = await options.custodialOf(marketplaceId, request.userId);
    if (!wallet) throw new DomainError('WALLET_NOT_FOUND');
    await requireOutside(request, { marketplaceId, payer: wallet });
    // Without an answer of the ledger the withdrawal is accepted: it is checked again before it is sent.
    const checked = await checkReceiver({ address, memo, currency: request.currency, amount: request.amount });
    if (checked.kind === 'no') throw invalid(request, checked.reason);
    return { email: null, address, memo, memoType, walletId: wallet.id };
  };

  /** The input of the create command; refuses a destination that cannot be paid. */
  return async (marketplaceId: string, request: WithdrawalRequest): Promise<CheckedWithdrawal> => {
    const user = await options.findUser(marketplaceId, request.userId);
    if (!user) throw new DomainError('USER_NOT_FOUND');
    const { destination, ...rest } = request;
    const named = {
      ...rest,
      destinationType: destination.type,
      destinationRef: destination.ref,
      payeeLinkedAt: user.paymentAccountLinkedAt,
    };
    // The command refuses the withdrawal of a suspended user, with any destination.
    if (user.status === 'SUSPENDED') return { ...named, ...NO_DESTINATION };
    const found = await (destination.type === 'crypto'
      ? overLedger(marketplaceId, request)
      : throughProvider(user, { marketplaceId, request }));
    return { ...named, ...found };
  };
};

// Checks a new withdrawal before its money is reserved: its body, and its destination at the payment provider or on the ledger. It
// changes nothing, and the command checks the user again.

import { isPayable, PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import { plus, settingAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { type AmountLimits, amountWithin } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import { assetOf, type Wallet } from '../../ledger/keys/wallet.ts';
import type { LedgerAsset, LedgerNetwork, PaymentAccounts, PaymentProvider } from '../../providers/ports.ts';
import type { User } from '../users/user.ts';
import type { CreateWithdrawalInput } from './create-withdrawal.ts';
import { LEDGER, PAYMENT } from './payout-update.ts';

type WithdrawalRequest = Pick<CreateWithdrawalInput, 'userId' | 'amount' | 'currency' | 'commit'> & {
  readonly destination: {
    readonly type: CreateWithdrawalInput['destinationType'];
    readonly ref: string | null;
    readonly address: string | null;
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
  // A field of another destination type means that the caller wants that type.
  if (type === 'crypto') return email === undefined ? [] : ['destination.email does not belong to crypto'];
  return [
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
    destination: { type, ref, address, email },
  };
};

type DestinationOptions = {
  readonly accounts: Pick<PaymentAccounts, 'current'>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  findUser(marketplaceId: string, userId: string): Promise<User | null>;
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  findByAddress(marketplaceId: string, address: string): Promise<Wallet | null>;
};

/** The input of the create command without what the float adds. */
type CheckedWithdrawal = Omit<CreateWithdrawalInput, 'isFloatOpened'>;

type Found = Pick<CreateWithdrawalInput, 'address' | 'email' | 'walletId'>;

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

/** An account may also be linked by the provider's id, which is not an e-mail address. */
const emailOf = (user: User, request: WithdrawalRequest): string | null => {
  const linked = user.paymentAccountUserId?.includes('@') ? user.paymentAccountUserId : null;
  return linked ?? request.destination.email ?? user.email;
};

export const createDestinations = (options: DestinationOptions) => {
  const { accounts, network, usdc } = options;

  const requireActive = async (
    email: string,
    { request, payment }: { request: WithdrawalRequest; payment: Pick<PaymentProvider, 'getUser'> },
  ): Promise<void> => {
    const found = await payment.getUser(email);
    if (found.kind === 'unknown') throw uncheckable(PAYMENT, found.reason);
    if (found.kind === 'no') throw invalid(request, found.reason);
    if (!found.value?.isActive)
      throw invalid(request, 'the payment provider knows no active account with this e-mail.');
  };

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
    const email = emailOf(user, request);
    if (email === null) throw invalid(request, 'neither a linked payment account nor an e-mail is known.');
    if (request.destination.type === 'payment_account') await requireActive(email, { request, payment });
    return { email, address: null, walletId: null };
  };

  /** A payment to the payer's own address, or to a platform wallet, would not take money out. */
  const requireOutside = async (
    request: WithdrawalRequest,
    { marketplaceId, payer }: { marketplaceId: string; payer: Wallet },
  ): Promise<void> => {
    const known = await options.findByAddress(marketplaceId, request.destination.address ?? '');
    if (known && (known.id === payer.id || known.owner !== 'user'))
      throw invalid(request, 'it is an address of our own.');
  };

  const requireReceiver = async (address: string, request: WithdrawalRequest): Promise<void> => {
    const found = await network.account(address);
    // Without an answer of the ledger nothing is known about the address.
    if (found.kind !== 'yes') throw uncheckable(LEDGER, found.reason);
    if (found.value === null) throw invalid(request, 'there is no such account on the ledger.');
    if (assetOf(request.currency) === 'XLM') return;
    const line = found.value.balances.find(({ asset }) => asset.code === usdc.code && asset.issuer === usdc.issuer);
    if (!line?.isAuthorized) throw invalid(request, 'the account does not trust the asset.');
    if (line.limit !== null && plus(line.amount, request.amount) > line.limit) {
      throw invalid(request, 'the account would hold more of the asset than it allows.');
    }
  };

  const overLedger = async (marketplaceId: string, request: WithdrawalRequest): Promise<Found> => {
    const { address } = request.destination;
    if (address === null) throw invalid(request, 'it needs an address.');
    if (!parseAddress(address)) throw invalid(request, 'it is not the address of an account.');
    const wallet = await options.custodialOf(marketplaceId, request.userId);
    if (!wallet) throw new DomainError('WALLET_NOT_FOUND');
    await requireOutside(request, { marketplaceId, payer: wallet });
    await requireReceiver(address, request);
    return { email: null, address, walletId: wallet.id };
  };

  /** The input of the create command; refuses a destination that cannot be paid. */
  return async (marketplaceId: string, request: WithdrawalRequest): Promise<CheckedWithdrawal> => {
    const user = await options.findUser(marketplaceId, request.userId);
    if (!user) throw new DomainError('USER_NOT_FOUND');
    const { destination, ...rest } = request;
    const named = { ...rest, destinationType: destination.type, destinationRef: destination.ref };
    // The command refuses the withdrawal of a suspended user, with any destination.
    if (user.status === 'SUSPENDED') return { ...named, ...NO_DESTINATION };
    const found = await (destination.type === 'crypto'
      ? overLedger(marketplaceId, request)
      : throughProvider(user, { marketplaceId, request }));
    return { ...named, ...found };
  };
};

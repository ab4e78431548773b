// Finds out whether a withdrawal can be paid where it is to go, before its money is set aside: whom the payment provider is
// to pay, or which address on the ledger. Changes nothing; the command has the last word about the user.

import { DomainError } from '../../base/domain-error.ts';
import { parseAddress } from '../../base/ledger-address.ts';
import { plus } from '../../books/money.ts';
import { assetOf, type Wallet } from '../../ledger/keys/wallet.ts';
import type { LedgerAsset, LedgerNetwork, PaymentProvider } from '../../providers/ports.ts';
import type { User } from '../users/user.ts';
import type { CreateWithdrawalInput } from './create-withdrawal.ts';
import { LEDGER, PAYMENT } from './payout-answers.ts';

export type DestinationOptions = {
  /** Null: there is none. */
  readonly payment: Pick<PaymentProvider, 'getUser'> | null;
  readonly network: Pick<LedgerNetwork, 'account'>;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  findUser(marketplaceId: string, userId: string): Promise<User | null>;
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  findByAddress(marketplaceId: string, address: string): Promise<Wallet | null>;
};

export type WithdrawalAsk = Pick<CreateWithdrawalInput, 'userId' | 'amount' | 'currency' | 'commit'> & {
  readonly destination: {
    readonly type: CreateWithdrawalInput['destinationType'];
    readonly ref: string | null;
    readonly address: string | null;
    readonly email: string | null;
  };
};

type Found = Pick<CreateWithdrawalInput, 'address' | 'email' | 'walletId'>;

export type Destinations = ReturnType<typeof createDestinations>;

const invalid = ({ destination: { type } }: WithdrawalAsk, reason: string): DomainError =>
  new DomainError('WITHDRAWAL_DESTINATION_INVALID', {
    message: `Nothing can be paid to this destination: ${reason} Nothing was taken from the balance.`,
    details: { destinationType: type, reason },
  });

const notNow = (provider: string, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The destination could not be looked up. Nothing was taken from the balance; ask again shortly.',
    details: { provider, reason },
  });

/** An account may also be linked by an id of the provider's, and that is no address. */
const emailOf = (user: User, ask: WithdrawalAsk): string | null => {
  const linked = user.paymentAccountUserId?.includes('@') ? user.paymentAccountUserId : null;
  return linked ?? ask.destination.email ?? user.email;
};

export const createDestinations = (options: DestinationOptions) => {
  const { payment, network, usdc } = options;

  const requireActive = async (email: string, ask: WithdrawalAsk): Promise<void> => {
    const found = await payment!.getUser(email);
    if (found.kind === 'unknown') throw notNow(PAYMENT, found.reason);
    if (found.kind === 'no') throw invalid(ask, found.reason);
    if (!found.value?.isActive) throw invalid(ask, 'the payment provider knows no active account with this e-mail.');
  };

  const throughProvider = async (user: User, ask: WithdrawalAsk): Promise<Found> => {
    if (!payment) {
      throw new DomainError('INTERNAL_ERROR', {
        message: 'There is no payment provider here. Set PAYMENT_PROVIDER_URL.',
      });
    }
    const email = emailOf(user, ask);
    if (email === null) throw invalid(ask, 'neither a linked payment account nor an e-mail is known.');
    if (ask.destination.type === 'payment_account') await requireActive(email, ask);
    return { email, address: null, walletId: null };
  };

  /** A payment from a wallet to itself, or into the house, would move nothing out. */
  const requireStranger = async (marketplaceId: string, ask: WithdrawalAsk, payer: Wallet): Promise<void> => {
    const known = await options.findByAddress(marketplaceId, ask.destination.address ?? '');
    if (known && (known.id === payer.id || known.owner !== 'user')) throw invalid(ask, 'it is an address of our own.');
  };

  const requireReceiver = async (address: string, ask: WithdrawalAsk): Promise<void> => {
    const found = await network.account(address);
    // That the ledger does not answer says nothing about the address.
    if (found.kind !== 'yes') throw notNow(LEDGER, found.reason);
    if (found.value === null) throw invalid(ask, 'there is no such account on the ledger.');
    if (assetOf(ask.currency) === 'XLM') return;
    const line = found.value.balances.find(({ asset }) => asset.code === usdc.code && asset.issuer === usdc.issuer);
    if (!line?.isAuthorized) throw invalid(ask, 'the account does not trust the asset.');
    if (line.limit !== null && plus(line.amount, ask.amount) > line.limit) {
      throw invalid(ask, 'the account would hold more of the asset than it allows.');
    }
  };

  const overLedger = async (marketplaceId: string, ask: WithdrawalAsk): Promise<Found> => {
    const { address } = ask.destination;
    if (address === null) throw invalid(ask, 'it needs an address.');
    if (!parseAddress(address)) throw invalid(ask, 'it is not the address of an account.');
    const wallet = await options.custodialOf(marketplaceId, ask.userId);
    if (!wallet) throw new DomainError('WALLET_NOT_FOUND');
    await requireStranger(marketplaceId, ask, wallet);
    await requireReceiver(address, ask);
    return { email: null, address, walletId: wallet.id };
  };

  /** The withdrawal as it can be written down; refuses when nothing can be paid there. */
  return async (marketplaceId: string, ask: WithdrawalAsk): Promise<CreateWithdrawalInput> => {
    const user = await options.findUser(marketplaceId, ask.userId);
    if (!user) throw new DomainError('USER_NOT_FOUND');
    const { destination, ...rest } = ask;
    const named = { ...rest, destinationType: destination.type, destinationRef: destination.ref };
    // The command refuses it, whatever its destination is.
    if (user.status === 'SUSPENDED') return { ...named, ...NOWHERE };
    const found = await (destination.type === 'crypto' ? overLedger(marketplaceId, ask) : throughProvider(user, ask));
    return { ...named, ...found };
  };
};

const NOWHERE: Found = { address: null, email: null, walletId: null };

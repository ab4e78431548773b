// A wallet, its deposit address and its payments in replies. The sealed secret is never part of a reply.

import { type Amount, formatExact, ZERO } from '../../books/money.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';

export type OnLedger = { readonly usdc: Amount; readonly xlm: Amount };

/** A payment as the ledger shows it. */
export type WalletPayment = {
  readonly id: string;
  readonly kind: 'create-account' | 'payment' | 'path-payment' | 'contract-transfer';
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: Amount;
  readonly asset: { readonly code: string; readonly issuer: string | null };
  readonly at: string;
  readonly transactionHash: string;
  readonly successful: boolean;
};

const TYPES = {
  'create-account': 'CREATE_ACCOUNT',
  payment: 'PAYMENT',
  'path-payment': 'PATH_PAYMENT',
  'contract-transfer': 'CONTRACT_TRANSFER',
} as const;

export const presentWallet = (wallet: Wallet) => ({
  id: wallet.id,
  publicKey: wallet.address,
  type: wallet.type,
  provider: 'STELLAR' as const,
  isActive: wallet.status === 'ACTIVE',
  isPrimary: wallet.isPrimary,
  ...(wallet.provedAt === null ? {} : { provedAt: wallet.provedAt }),
  createdAt: wallet.createdAt,
});

/** Null: the account does not exist on the ledger (yet). */
export const presentWalletWithBalance = (wallet: Wallet, onLedger: OnLedger | null) => ({
  ...presentWallet(wallet),
  isActive: wallet.status === 'ACTIVE' && onLedger !== null,
  balance: { usdc: formatExact(onLedger?.usdc ?? ZERO), xlm: formatExact(onLedger?.xlm ?? ZERO) },
});

type Destination = {
  readonly asset: { readonly code: string; readonly issuer: string };
  readonly network: string;
};

export const presentDepositAddress = ({ address, status }: Wallet, { asset, network }: Destination) => ({
  provider: 'crypto' as const,
  method: 'stellar_address' as const,
  address,
  asset,
  network,
  instructions: [
    `Send ${asset.code} of this issuer, on this network, to this address; no memo is needed.`,
    ...(status === 'PENDING' ? ['The address is being prepared: wait until the wallet is active.'] : []),
    'The deposit is credited as soon as the ledger includes it.',
  ].join(' '),
});

export const presentWalletTransaction = (payment: WalletPayment) => ({
  id: payment.id,
  type: TYPES[payment.kind],
  from: payment.from,
  to: payment.to,
  amount: formatExact(payment.amount),
  asset: payment.asset,
  createdAt: payment.at,
  hash: payment.transactionHash,
  successful: payment.successful,
});

// What these routes take and give.
// Printed from contract/src/api/wallets.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';

export type DepositAddress = {
  provider: 'crypto';
  method: 'stellar_address';
  /** The address to send to. */
  address: string;
  asset: {
    code: string;
    /** Issuer of the asset. */
    issuer: string;
  };
  /** Passphrase of the network. Payments on any other network do not arrive. */
  network: string;
  /** Instructions for the payer. */
  instructions: string;
};

export type Wallet = {
  /** Wallet id. */
  id: string;
  /** Its address. */
  publicKey: string;
  /** INVISIBLE: this service holds the key. EXTERNAL: the user holds the key. */
  type: 'INVISIBLE' | 'EXTERNAL';
  /** The ledger network. */
  provider: 'STELLAR';
  /**
   * Whether the wallet can receive payments. A wallet is activated when it is first needed, for example when its
   * deposit address is asked for.
   */
  isActive: boolean;
  /** Whether payments are made from this wallet. */
  isPrimary: boolean;
  /** When the user proved to hold the key of a linked wallet. Left out until then. */
  provedAt?: string;
  /** When the wallet was created or linked. */
  createdAt: string;
};

export type WalletChallenge = {
  /** The challenge: a transaction in base64 that no ledger accepts. The wallet signs it. */
  transaction: string;
  /** Passphrase of the network that the signature is for. */
  networkPassphrase: string;
  /** The wallet that has to sign. */
  publicKey: string;
  /** The key of this server, which has signed the challenge. */
  signedBy: string;
  /** Host name in the challenge. */
  homeDomain: string;
  /** Until when the signed challenge is accepted. */
  expiresAt: string;
};

export type WalletTransaction = {
  /** Id of the payment on the ledger. */
  id: string;
  type: 'CREATE_ACCOUNT' | 'PAYMENT' | 'PATH_PAYMENT' | 'CONTRACT_TRANSFER';
  /** Payer. */
  from: string | null;
  /** Receiver of the payment. */
  to: string | null;
  /** Amount of the payment. Decimal string with seven decimal places. */
  amount: Amount;
  asset: {
    code: string;
    /** Null for the native asset. */
    issuer: string | null;
  };
  /** When the payment was included in the ledger. */
  createdAt: string;
  /** Hash of the transaction with the payment. */
  hash: string;
  successful: boolean;
};

export type WalletWithBalance = {
  /** Wallet id. */
  id: string;
  /** Its address. */
  publicKey: string;
  /** INVISIBLE: this service holds the key. EXTERNAL: the user holds the key. */
  type: 'INVISIBLE' | 'EXTERNAL';
  /** The ledger network. */
  provider: 'STELLAR';
  /**
   * Whether the wallet can receive payments. A wallet is activated when it is first needed, for example when its
   * deposit address is asked for.
   */
  isActive: boolean;
  /** Whether payments are made from this wallet. */
  isPrimary: boolean;
  /** When the user proved to hold the key of a linked wallet. Left out until then. */
  provedAt?: string;
  balance: {
    /** Balance on the ledger now. Decimal string with seven decimal places. */
    usdc: Amount;
    /** Balance on the ledger now. Decimal string with seven decimal places. */
    xlm: Amount;
  };
  /** When the wallet was created or linked. */
  createdAt: string;
};

export type ChallengeWalletInput = {
  /** Address of the linked wallet. */
  publicKey?: string;
};

export type LinkWalletInput = {
  /** Its address. */
  publicKey: string;
};

export type ListWalletTransactionsQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
};

export type ListWalletsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
};

export type ProveWalletInput = {
  /** The signed challenge, in base64. */
  transaction: string;
};

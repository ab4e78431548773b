// What these routes take and give.
// Printed from contract/src/api/wallets.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type DepositAddress = {
  provider: 'crypto';
  method: 'stellar_address';
  /** Where to send. */
  address: string;
  asset: {
    code: string;
    /** Who issues the asset. */
    issuer: string;
  };
  /** Passphrase of the network: nothing sent on another one arrives. */
  network: string;
  /** A sentence for the person who pays. */
  instructions: string;
};

export type Wallet = {
  /** Wallet id. */
  id: string;
  /** Its address. */
  publicKey: string;
  /** INVISIBLE: its key is kept here. EXTERNAL: the user holds the key. */
  type: 'INVISIBLE' | 'EXTERNAL';
  /** The ledger network. */
  provider: 'STELLAR';
  /** Whether it can receive; a new wallet needs a moment. */
  isActive: boolean;
  /** Whether it is the wallet that payments are made from. */
  isPrimary: boolean;
  /** When it was made or linked. */
  createdAt: string;
};

export type WalletTransaction = {
  /** Id of the payment on the ledger. */
  id: string;
  type: 'CREATE_ACCOUNT' | 'PAYMENT' | 'PATH_PAYMENT' | 'CONTRACT_TRANSFER';
  /** Who paid. */
  from: string | null;
  /** Who was paid. */
  to: string | null;
  /** What was paid. Decimal string with seven places. */
  amount: string;
  asset: {
    code: string;
    /** Null for the native asset. */
    issuer: string | null;
  };
  /** When the ledger closed with it. */
  createdAt: string;
  /** Hash of the transaction it was part of. */
  hash: string;
  successful: boolean;
};

export type WalletWithBalance = {
  /** Wallet id. */
  id: string;
  /** Its address. */
  publicKey: string;
  /** INVISIBLE: its key is kept here. EXTERNAL: the user holds the key. */
  type: 'INVISIBLE' | 'EXTERNAL';
  /** The ledger network. */
  provider: 'STELLAR';
  /** Whether it can receive; a new wallet needs a moment. */
  isActive: boolean;
  /** Whether it is the wallet that payments are made from. */
  isPrimary: boolean;
  balance: {
    /** On the ledger now. Decimal string with seven places. */
    usdc: string;
    /** On the ledger now. Decimal string with seven places. */
    xlm: string;
  };
  /** When it was made or linked. */
  createdAt: string;
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

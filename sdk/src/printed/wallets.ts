// What these routes take and give.
// Printed from contract/src/api/wallets.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

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
  /** Whether the wallet can receive payments; a new wallet is activated after a few seconds. */
  isActive: boolean;
  /** Whether payments are made from this wallet. */
  isPrimary: boolean;
  /** When the wallet was created or linked. */
  createdAt: string;
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
  amount: string;
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
  /** Whether the wallet can receive payments; a new wallet is activated after a few seconds. */
  isActive: boolean;
  /** Whether payments are made from this wallet. */
  isPrimary: boolean;
  balance: {
    /** Balance on the ledger now. Decimal string with seven decimal places. */
    usdc: string;
    /** Balance on the ledger now. Decimal string with seven decimal places. */
    xlm: string;
  };
  /** When the wallet was created or linked. */
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

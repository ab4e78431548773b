// What the routes of Surface B take and give. Amounts are numbers there; two places at most.
// Printed from contract/src/surface-b by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type GetBalancesResult = {
  balances: {
    /** Currency code. */
    currency: 'USD' | 'USDC' | 'XLM';
    /** Available balance. Two decimal places, cut off. */
    available: number;
    /** Amount reserved or in escrow. Two decimal places, cut off. */
    held: number;
  }[];
};

export type ListTransactionsQuery = {
  /** From 1. */
  page?: number;
  /** Page size. */
  limit?: number;
  /** Currency code. */
  currency?: 'USD' | 'USDC' | 'XLM';
};

export type ListTransactionsResult = {
  transactions: {
    /** Transaction id. */
    id: string;
    type: 'credit' | 'debit';
    /** Amount. Two decimal places, cut off. */
    amount: number;
    /** Currency code. */
    currency: 'USD' | 'USDC' | 'XLM';
    description: string;
    /** When it happened. */
    created_at: string;
  }[];
  pagination: {
    page: number;
    limit: number;
    /** Items on all pages. */
    total: number;
    /** Number of pages. */
    pages: number;
  };
};

export type InitEscrowInput = {
  /** The project. */
  project_id: string;
  /** The seller, who is paid. */
  seller_id: string;
  /** At most the budget. At most two decimal places. */
  amount: number;
  /** Currency code. */
  currency: 'USD' | 'USDC' | 'XLM';
};

export type InitEscrowResult = {
  /** Escrow id, the same as on the other surface. */
  escrow_id: string;
  /** The project. */
  project_id: string;
  /** The buyer, who pays. */
  buyer_id: string;
  /** The seller, who is paid. */
  seller_id: string;
  /** Amount of the escrow. Two decimal places, cut off. */
  amount: number;
  /** Currency code. */
  currency: 'USD' | 'USDC' | 'XLM';
  status: 'creating' | 'created' | 'funding' | 'funded' | 'released' | 'refunded' | 'disputed';
  /** When it was created. */
  created_at: string;
};

export type ReleaseEscrowInput = {
  /** The escrow. */
  escrow_id: string;
};

export type ReleaseEscrowResult = {
  /** Escrow id, the same as on the other surface. */
  escrow_id: string;
  status: 'creating' | 'created' | 'funding' | 'funded' | 'released' | 'refunded' | 'disputed';
  /** The escrow's amount. Two decimal places, cut off. */
  released_amount: number;
  /** When it was released. */
  released_at: string;
};

export type LoginInput = {
  email: string;
  /** The registered password. */
  password: string;
};

export type LoginResult = {
  /** Send it as `Authorization: Bearer <token>`. */
  token: string;
  user: {
    /** User id, the same as on the other surface. */
    id: string;
    /** As it was registered. */
    email: string;
    name: string;
  };
};

export type RegisterInput = {
  email: string;
  /** At least eight characters. */
  password: string;
  /** Name of the person. One line with at least one visible character, without control characters. */
  name: string;
};

export type RegisterResult = {
  /** User id, the same as on the other surface. */
  id: string;
  /** As it was registered. */
  email: string;
  name: string;
  /** Send it as `Authorization: Bearer <token>`. */
  token: string;
};

export type CreateProjectInput = {
  title: string;
  description?: string;
  /** Maximum amount of the escrow. At most two decimal places. */
  budget: number;
  /** Currency code. */
  currency?: 'USD' | 'USDC' | 'XLM';
};

export type CreateProjectResult = {
  /** Project id. Keep it private: the id alone is enough to fund the escrow of the project. */
  id: string;
  title: string;
  /** Empty when none was given. */
  description: string;
  /** Maximum amount of the escrow. Two decimal places, cut off. */
  budget: number;
  /** Currency code. */
  currency: 'USD' | 'USDC' | 'XLM';
  /** In progress while its escrow is funded; completed when it was released, cancelled when refunded. */
  status: 'open' | 'in_progress' | 'completed' | 'cancelled';
  /** When it was created. */
  created_at: string;
};

export type ListProjectsQuery = {
  /** From 1. */
  page?: number;
  /** Page size. */
  limit?: number;
};

export type ListProjectsResult = {
  projects: {
    /** Project id. Keep it private: the id alone is enough to fund the escrow of the project. */
    id: string;
    title: string;
    /** Empty when none was given. */
    description: string;
    /** Maximum amount of the escrow. Two decimal places, cut off. */
    budget: number;
    /** Currency code. */
    currency: 'USD' | 'USDC' | 'XLM';
    /** In progress while its escrow is funded; completed when it was released, cancelled when refunded. */
    status: 'open' | 'in_progress' | 'completed' | 'cancelled';
    /** When it was created. */
    created_at: string;
  }[];
  pagination: {
    page: number;
    limit: number;
    /** Items on all pages. */
    total: number;
    /** Number of pages. */
    pages: number;
  };
};

export type ConnectWalletInput = {
  /** Ledger public key of the wallet. */
  public_key: string;
};

export type ConnectWalletResult = {
  /** Wallet id. */
  wallet_id: string;
  public_key: string;
  /** When it was connected. */
  connected_at: string;
};

export const SURFACE_B_ROUTES = {
  getBalances: { method: 'GET', path: '/balances' },
  listTransactions: { method: 'GET', path: '/balances/transactions' },
  initEscrow: { method: 'POST', path: '/escrow/init' },
  releaseEscrow: { method: 'POST', path: '/escrow/release' },
  login: { method: 'POST', path: '/auth/login' },
  register: { method: 'POST', path: '/auth/register' },
  createProject: { method: 'POST', path: '/projects' },
  listProjects: { method: 'GET', path: '/projects' },
  connectWallet: { method: 'POST', path: '/wallets/connect' },
} as const;

// What these routes take and give.
// Printed from contract/src/api/sandbox.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type SandboxFault = {
  id: string;
  /** The call that misbehaves. */
  operation: 'deploy' | 'fund' | 'change-status' | 'approve' | 'release' | 'dispute' | 'resolve' | 'send-transaction' | 'get-escrow' | 'payin' | 'payin-get' | 'payin-cancel' | 'payout' | 'payout-commit' | 'payout-get' | 'account' | 'payment' | 'transaction-get' | 'webhook';
  /** How it misbehaves. */
  fault: 'timeout' | 'refusal' | 'slow' | 'outage' | 'wrong-amount' | 'http-200-failed' | 'no-contract-id' | 'lost-answer' | 'drop' | 'duplicate' | 'late' | 'reorder' | 'bad-signature';
  /** How many calls it will still strike. */
  count: number;
  /** Of those that take time. */
  delayMs: number | null;
  /** Only calls about this; null: any. */
  match: string | null;
};

export type SandboxPayin = {
  /** The provider's id. */
  id: string;
  /** As the provider calls it. */
  status: string;
  amount: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** The top-up it is for. */
  topupId: string;
};

export type SandboxPayout = {
  /** The provider's id. */
  id: string;
  /** As the provider calls it. */
  status: string;
  amount: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** The withdrawal it is for. */
  withdrawalId: string;
};

export type SandboxState = {
  /** The twins' time. */
  time: string;
  /** What is armed, for all marketplaces together. */
  faults: SandboxFault[];
  payins: SandboxPayin[];
  payouts: SandboxPayout[];
  accounts: {
    address: string;
    owner: 'user' | 'treasury' | 'platform';
    userId: string | null;
    /** What the ledger shows there, seven places. */
    balances: {
      USDC: string;
      XLM: string;
    };
  }[];
  contracts: {
    contractId: string;
    orderId: string;
    /** The escrow's amount. */
    amount: string;
    /** What the ledger shows there, seven places. */
    balances: {
      USDC: string;
      XLM: string;
    };
  }[];
  webhooks: {
    id: string;
    /** The provider's name of the event. */
    type: string;
    /** The top-up or withdrawal it is about. */
    about: string;
    /** What became of it. */
    status: string;
    /** The fault that struck it. */
    fault: string | null;
    attempts: number;
  }[];
};

export type AdvanceSandboxClockInput = {
  /** How far. */
  seconds: number;
};

export type AdvanceSandboxClockResult = {
  /** The twins' time now. */
  time: string;
};

export type ArmSandboxFaultInput = {
  /** The call that misbehaves. */
  operation: 'deploy' | 'fund' | 'change-status' | 'approve' | 'release' | 'dispute' | 'resolve' | 'send-transaction' | 'get-escrow' | 'payin' | 'payin-get' | 'payin-cancel' | 'payout' | 'payout-commit' | 'payout-get' | 'account' | 'payment' | 'transaction-get' | 'webhook';
  /** How it misbehaves. */
  fault: 'timeout' | 'refusal' | 'slow' | 'outage' | 'wrong-amount' | 'http-200-failed' | 'no-contract-id' | 'lost-answer' | 'drop' | 'duplicate' | 'late' | 'reorder' | 'bad-signature';
  /** How many calls it strikes. */
  count?: number;
  /** Of those that take time. */
  delayMs?: number;
  /** Only calls about this order, top-up, withdrawal or address. */
  match?: string;
};

export type ClearSandboxFaultsResult = {
  /** What is armed, for all marketplaces together. */
  faults: SandboxFault[];
};

export type DecideSandboxPayinInput = {
  /** Why; what the provider will say. */
  reason?: string;
};

export type DecideSandboxPayoutInput = {
  /** Why; what the provider will say. */
  reason?: string;
};

export type ListSandboxFaultsResult = {
  /** What is armed, for all marketplaces together. */
  faults: SandboxFault[];
  /** Which faults each operation knows. */
  operations: Record<string, string[]>;
};

export type PaySandboxFaucetInput = {
  /** Address on the ledger. */
  address: string;
  /** What is paid. */
  asset: 'USDC' | 'XLM';
  /** Positive decimal string with at most seven places. */
  amount: string;
};

export type PaySandboxFaucetResult = {
  transactionHash: string;
};

export type SendSandboxEscrowEventInput = {
  /** What it tells. */
  type: 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'escrow.disputed';
  /** The order. */
  orderId: string;
  /** Its milestone; `escrow.milestone_completed` needs it. */
  milestoneRef?: string;
};

export type SendSandboxEscrowEventResult = {
  /** The provider's id of the event. */
  eventId: string;
  type: 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'escrow.disputed';
  /** Whether this server took it with a 2xx. */
  delivered: boolean;
  /** What this server answered; null when it did not. */
  processed: boolean | null;
};

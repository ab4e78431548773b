// What these routes take and give.
// Printed from contract/src/api/sandbox.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type SandboxFault = {
  id: string;
  /** The call that misbehaves. */
  operation: 'deploy' | 'fund' | 'change-status' | 'approve' | 'release' | 'dispute' | 'resolve' | 'send-transaction' | 'get-escrow' | 'payin' | 'payin-get' | 'payin-cancel' | 'payout' | 'payout-commit' | 'payout-get' | 'user-get' | 'account' | 'payment' | 'transaction-get' | 'payments-get' | 'contract-get' | 'fees' | 'node' | 'webhook';
  /** How the call misbehaves. */
  fault: 'timeout' | 'refusal' | 'slow' | 'outage' | 'wrong-amount' | 'http-200-failed' | 'no-contract-id' | 'lost-answer' | 'short' | 'surplus' | 'lagging' | 'missing' | 'repeated' | 'unordered' | 'wrong-asset' | 'wrong-destination' | 'memo-required' | 'wrong-code' | 'fee-surge' | 'fee-stuck' | 'fee-spike' | 'fee-rise' | 'alternating' | 'drop' | 'duplicate' | 'late' | 'reorder' | 'bad-signature';
  /** How many more calls the fault affects. */
  count: number;
  /** Delay of the faults that take time. */
  delayMs: number | null;
  /** Only calls about this id or address; null for any call. */
  match: string | null;
};

export type SandboxPayin = {
  /** The provider's id. */
  id: string;
  /** The provider's name of the status. */
  status: string;
  amount: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** The top-up of the payin. */
  topupId: string;
};

export type SandboxPayout = {
  /** The provider's id. */
  id: string;
  /** The provider's name of the status. */
  status: string;
  amount: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** The withdrawal of the payout. */
  withdrawalId: string;
};

export type SandboxState = {
  /** The time of the simulators. */
  time: string;
  /** Armed faults, for all marketplaces. */
  faults: SandboxFault[];
  payins: SandboxPayin[];
  payouts: SandboxPayout[];
  accounts: {
    address: string;
    owner: 'user' | 'treasury' | 'platform';
    userId: string | null;
    /** The balance on the ledger, seven decimal places. */
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
    /** The balance on the ledger, seven decimal places. */
    balances: {
      USDC: string;
      XLM: string;
    };
  }[];
  webhooks: {
    id: string;
    /** The provider's name of the event. */
    type: string;
    /** The top-up or withdrawal of the webhook. */
    about: string;
    /** Delivery status. */
    status: string;
    /** The fault that affected the delivery. */
    fault: string | null;
    attempts: number;
  }[];
};

export type AdvanceSandboxClockInput = {
  /** How many seconds forward. */
  seconds: number;
};

export type AdvanceSandboxClockResult = {
  /** The new time of the simulators. */
  time: string;
};

export type ArmSandboxFaultInput = {
  /** The call that misbehaves. */
  operation: 'deploy' | 'fund' | 'change-status' | 'approve' | 'release' | 'dispute' | 'resolve' | 'send-transaction' | 'get-escrow' | 'payin' | 'payin-get' | 'payin-cancel' | 'payout' | 'payout-commit' | 'payout-get' | 'user-get' | 'account' | 'payment' | 'transaction-get' | 'payments-get' | 'contract-get' | 'fees' | 'node' | 'webhook';
  /** How the call misbehaves. */
  fault: 'timeout' | 'refusal' | 'slow' | 'outage' | 'wrong-amount' | 'http-200-failed' | 'no-contract-id' | 'lost-answer' | 'short' | 'surplus' | 'lagging' | 'missing' | 'repeated' | 'unordered' | 'wrong-asset' | 'wrong-destination' | 'memo-required' | 'wrong-code' | 'fee-surge' | 'fee-stuck' | 'fee-spike' | 'fee-rise' | 'alternating' | 'drop' | 'duplicate' | 'late' | 'reorder' | 'bad-signature';
  /** How many calls the fault affects. */
  count?: number;
  /** Delay of the faults that take time. */
  delayMs?: number;
  /** Only calls about this order, top-up, withdrawal or address. */
  match?: string;
};

export type ClearSandboxFaultsResult = {
  /** Armed faults, for all marketplaces. */
  faults: SandboxFault[];
};

export type DecideSandboxPayinInput = {
  /** The reason that the provider gives. */
  reason?: string;
};

export type DecideSandboxPayoutInput = {
  /** The reason that the provider gives. */
  reason?: string;
};

export type ListSandboxFaultsResult = {
  /** Armed faults, for all marketplaces. */
  faults: SandboxFault[];
  /** The faults that each operation supports. */
  operations: Record<string, string[]>;
};

export type PaySandboxFaucetInput = {
  /** Address on the ledger. */
  address: string;
  /** The asset that is paid. */
  asset: 'USDC' | 'XLM';
  /** Positive decimal string with at most seven decimal places. */
  amount: string;
};

export type PaySandboxFaucetResult = {
  transactionHash: string;
};

export type SendSandboxEscrowEventInput = {
  /** Type of the event. */
  type: 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.released' | 'escrow.refunded' | 'escrow.disputed';
  /** The order. */
  orderId: string;
  /** Its milestone; `escrow.milestone_completed` needs it. */
  milestoneRef?: string;
} | {
  /** Type of the event. */
  type: 'escrow.milestone_completed';
  /** The order. */
  orderId: string;
  /** Its milestone; `escrow.milestone_completed` needs it. */
  milestoneRef: string;
};

export type SendSandboxEscrowEventResult = {
  /** The provider's id of the event. */
  eventId: string;
  type: 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'escrow.disputed';
  /** Whether this server answered with a 2xx status. */
  delivered: boolean;
  /** The `processed` field of the answer of this server; null without an answer. */
  processed: boolean | null;
};

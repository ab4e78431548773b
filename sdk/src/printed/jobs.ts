// What these routes take and give.
// Printed from contract/src/api/jobs.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type HeldWallet = {
  /** The wallet. */
  walletId: string;
  /** The marketplace of the wallet. */
  marketplaceId: string;
  /** The address of the wallet on the ledger. */
  address: string;
  /** Why it is held. */
  reason: string;
  /** When the hold began. */
  since: string;
  /** Transactions of the wallet with payments that nothing in the books explains. */
  transactions: {
    /** The hash of the transaction on the ledger. */
    hash: string;
    /** When the ledger included it. */
    at: string;
    payments: {
      /** The address on the ledger that received the payment. */
      to: string;
      /** The asset that was paid. */
      asset: 'USDC' | 'XLM';
      /** Decimal string with seven decimal places. */
      amount: string;
    }[];
  }[];
};

export type JobReport = {
  name: string;
  /** What the job does. */
  purpose: string;
  /** Cron expression, in UTC. */
  schedule: string;
  /** When the last run ended, on any server; null when unknown. */
  lastRunAt: string | null;
  /** Outcome of the last run. */
  lastOutcome: 'succeeded' | 'failed' | null;
  /** Why the last run failed, when it ran on this server. */
  lastProblem: string | null;
  /** Runs on any server that failed after all retries since this server started. */
  failedRuns: number;
};

export type PaymentHold = {
  /** True while the service signs nothing that leaves a wallet and makes no payout at the payment provider. */
  held: boolean;
  /** Why payments are held. Null while they are not. */
  reason: string | null;
  /** Who holds payments: `master`, or `restore` after a backup was restored. Null while they are not held. */
  heldBy: string | null;
  /** When the hold began. */
  since: string | null;
  /**
   * False while the wallets are still being compared with the ledger since the hold began. What the books lacked is
   * adopted, or its wallet is held.
   */
  ledgerCompared: boolean;
  /**
   * False while the payouts of the payment provider are still being compared with the withdrawals since the hold began.
   * Until then no payout is made, also after a release.
   */
  payoutsCompared: boolean;
  /**
   * Payouts at the payment provider whose withdrawal is not in the books, as open breaks of the kind `lost-payout`.
   * They are searched for after payments were held.
   */
  lostPayouts: number;
  /** Wallets that are held, of all marketplaces; at most 100. */
  wallets: HeldWallet[];
};

export type HoldPaymentsInput = {
  /** Why payments are held. It is shown to operators. */
  reason: string;
};

export type ListJobsResult = {
  jobs: JobReport[];
};

export type ReleasePaymentsInput = {
  /** Releases this wallet only. */
  walletId?: string;
  /**
   * True: accepts the payouts without a withdrawal and closes their breaks. Take their money out of the balances of the
   * users before.
   */
  acceptLostPayouts?: boolean;
  /**
   * True: does not wait for the comparison. Each wallet is still read before it pays, and payouts wait until the
   * provider’s list was read.
   */
  anyway?: boolean;
};

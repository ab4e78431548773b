// Scheduled jobs: work that runs in the background. The hold of outgoing payments: of the whole service, or of wallets whose payments on
// the ledger nothing in the books explains.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Nullable, Strict, Text, Timestamp } from './fields.ts';

export const JobReport = Type.Object({
  name: Type.String({ examples: ['check-proof'] }),
  purpose: Type.String({ description: 'What the job does.', examples: ['Checks the balances of every marketplace.'] }),
  schedule: Type.String({ description: 'Cron expression, in UTC.', examples: ['*/5 * * * *'] }),
  lastRunAt: Nullable(Timestamp('When the last run ended, on any server; null when unknown.')),
  lastOutcome: Nullable(Type.Enum(['succeeded', 'failed'] as const, { description: 'Outcome of the last run.' })),
  lastProblem: Nullable(Type.String({ description: 'Why the last run failed, when it ran on this server.' })),
  failedRuns: Type.Integer({
    description: 'Runs on any server that failed after all retries since this server started.',
    examples: [0],
  }),
});

export const listJobs = endpoint({
  method: 'GET',
  path: '/jobs',
  access: 'support',
  tag: 'Service',
  summary: 'List scheduled jobs',
  description: 'Background jobs of the service, for all marketplaces, with the outcome of the last run.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({ jobs: Type.Array(JobReport) }),
  errors: [],
});

export const retryJob = endpoint({
  method: 'POST',
  path: '/jobs/:name/retry',
  access: 'support',
  tag: 'Service',
  summary: 'Retry a failed job',
  description:
    'Runs a job again at once whose last run failed, instead of waiting for its schedule. The answer shows the job as it was; `GET /jobs` shows ' +
    'how the new run ended. A job that did not fail is refused: it runs on its schedule.',
  params: Strict({ name: Text(64, 'Name of the job.') }),
  status: 202,
  wrapping: 'plain',
  data: JobReport,
  errors: ['JOB_NOT_FOUND', 'INVALID_STATE'],
});

const HeldPayment = Type.Object({
  to: Type.String({ description: 'The address on the ledger that received the payment.' }),
  asset: Type.Enum(['USDC', 'XLM'], { description: 'The asset that was paid.' }),
  amount: Type.String({ description: 'Decimal string with seven decimal places.', examples: ['25.0000000'] }),
});

export const HeldWallet = Type.Object({
  walletId: Type.String({ description: 'The wallet.' }),
  marketplaceId: Type.String({ description: 'The marketplace of the wallet.' }),
  address: Type.String({ description: 'The address of the wallet on the ledger.' }),
  reason: Type.String({ description: 'Why it is held.' }),
  since: Timestamp('When the hold began.'),
  transactions: Type.Array(
    Type.Object({
      hash: Type.String({ description: 'The hash of the transaction on the ledger.' }),
      at: Type.String({ description: 'When the ledger included it.' }),
      payments: Type.Array(HeldPayment),
    }),
    { description: 'Transactions of the wallet with payments that nothing in the books explains.' },
  ),
});

export const PaymentHold = Type.Object({
  held: Type.Boolean({
    description:
      'True while the service signs nothing that leaves a wallet and makes no payout at the payment provider.',
  }),
  reason: Nullable(Type.String({ description: 'Why payments are held. Null while they are not.' })),
  heldBy: Nullable(
    Type.String({
      description:
        'Who holds payments: `master`, or `restore` after a backup was restored. Null while they are not held.',
      examples: ['master'],
    }),
  ),
  since: Nullable(Timestamp('When the hold began.')),
  ledgerCompared: Type.Boolean({
    description:
      'False while the wallets are still being compared with the ledger since the hold began. What the books lacked is adopted, or its ' +
      'wallet is held.',
  }),
  payoutsCompared: Type.Boolean({
    description:
      'False while the payouts of the payment provider are still being compared with the withdrawals since the hold began. Until then no ' +
      'payout is made, also after a release.',
  }),
  lostPayouts: Type.Integer({
    description:
      'Payouts at the payment provider whose withdrawal is not in the books, as open breaks of the kind `lost-payout`. They are searched ' +
      'for after payments were held.',
    examples: [0],
  }),
  wallets: Type.Array(HeldWallet, { description: 'Wallets that are held, of all marketplaces; at most 100.' }),
});

const HOLD = {
  access: 'master',
  tag: 'Service',
  status: 200,
  wrapping: 'plain',
  data: PaymentHold,
} as const;

export const getPaymentHold = endpoint({
  ...HOLD,
  method: 'GET',
  path: '/payments/hold',
  summary: 'Get the payment hold',
  description:
    'Whether outgoing payments are on hold. A service that was restored from a backup starts on hold: the ledger and the payment ' +
    'provider may be ahead of it. While it is on hold it reads from both what was paid since the backup.',
  errors: [],
});

export const holdPayments = endpoint({
  ...HOLD,
  method: 'POST',
  path: '/payments/hold',
  summary: 'Hold payments',
  description:
    'From now on nothing is signed that leaves a wallet and no payout is made, on any server of the database. What was requested waits, ' +
    'and goes on after the release. Requests are answered as while the ledger and the payment provider are unreachable.',
  body: Strict({ reason: Text(200, 'Why payments are held. It is shown to operators.') }),
  errors: [],
});

export const releasePayments = endpoint({
  ...HOLD,
  method: 'POST',
  path: '/payments/release',
  summary: 'Release payments',
  description:
    'Ends the hold of the service, or of one wallet. The release of the service is refused with 409 until the ledger and the payment ' +
    'provider were compared with the books, and while payouts without a withdrawal are not accepted. Wallets that are held stay held. ' +
    'The release of a wallet accepts its payments that nothing explains: they are booked as a loss of the operator.',
  body: Strict({
    walletId: Type.Optional(Text(40, 'Releases this wallet only.')),
    acceptLostPayouts: Type.Optional(
      Type.Boolean({
        description:
          'True: accepts the payouts without a withdrawal and closes their breaks. Take their money out of the balances of the users before.',
      }),
    ),
    anyway: Type.Optional(
      Type.Boolean({
        description:
          'True: does not wait for the comparison. Each wallet is still read before it pays, and payouts wait until the provider’s list ' +
          'was read.',
      }),
    ),
  }),
  errors: ['INVALID_STATE'],
});

// The hold of outgoing payments: show, begin and end it. Only the master key may.

import type { PaymentHold } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { action, type Run } from '../run.ts';
import type { Column } from '../view/table.ts';

const comparisonLines = ({ ledgerCompared, payoutsCompared }: PaymentHold): string[] => [
  ...(ledgerCompared ? [] : ['The wallets are still being compared with the ledger.']),
  ...(payoutsCompared
    ? []
    : [
        'The payouts of the payment provider are still being compared with the withdrawals. No payout is made until then.',
      ]),
];

const WALLET_ADVICE = [
  'Compare these payments with your records. Money that a user has received this way is still in the balance of the user: take it out with `holdfast users debit`.',
  'Then run `holdfast payments release --wallet ID` for each wallet, and `holdfast payments status` again: the next payment of a wallet is shown after the release.',
];

const adviceOf = (hold: PaymentHold): string[] => {
  const advice = hold.wallets.length > 0 ? [...WALLET_ADVICE] : [];
  if (!hold.held) return advice;
  const isCompared = hold.ledgerCompared && hold.payoutsCompared;
  advice.push(
    isCompared
      ? 'Everything was compared. To let payments go on, run `holdfast payments release`.'
      : 'Wait until everything was compared, then run `holdfast payments release`.',
  );
  return advice;
};

const linesOf = (hold: PaymentHold): string[] => {
  const lines = [hold.held ? `Payments are on hold since ${hold.since}: ${hold.reason}` : 'Payments are not on hold.'];
  lines.push(...comparisonLines(hold));
  if (hold.lostPayouts > 0) {
    lines.push(
      `Payouts at the payment provider without a withdrawal: ${hold.lostPayouts}. The console lists them under Breaks.`,
      'Their money is still in the balances of the users: take it out with `holdfast users debit`. Then accept the payouts: `holdfast payments release --accept-lost-payouts`.',
    );
  }
  return [...lines, ...adviceOf(hold)];
};

type Wallet = PaymentHold['wallets'][number];
type Payment = Pick<Wallet, 'walletId' | 'marketplaceId'> &
  Pick<Wallet['transactions'][number], 'hash' | 'at'> &
  Wallet['transactions'][number]['payments'][number];

const PAYMENTS: readonly Column<Payment>[] = [
  { title: 'wallet', of: ({ walletId }) => walletId },
  { title: 'marketplace', of: ({ marketplaceId }) => marketplaceId },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'asset', of: ({ asset }) => asset },
  { title: 'paid at', of: ({ at }) => at },
  { title: 'to', of: ({ to }) => to },
  { title: 'transaction', of: ({ hash }) => hash, minor: true },
];

const paymentsOf = ({ wallets }: PaymentHold): Payment[] =>
  wallets.flatMap(({ walletId, marketplaceId, transactions }) =>
    transactions.flatMap(({ hash, at, payments }) =>
      payments.map((payment) => ({ walletId, marketplaceId, hash, at, ...payment })),
    ),
  );

const show = ({ out }: Pick<Run<unknown>, 'out'>, hold: PaymentHold): void => {
  if (out.isJson) {
    out.json(hold);
    return;
  }
  const payments = paymentsOf(hold);
  if (payments.length > 0) out.table(payments, PAYMENTS);
  for (const line of linesOf(hold)) out.line(line);
};

export const addPaymentCommands = (program: Command): void => {
  const payments = define(program, {
    name: 'payments',
    what: 'hold outgoing payments, and release them; needs the master key',
    examples: ['holdfast payments status'],
  });

  define(payments, {
    name: 'status',
    what: 'whether payments are on hold, and the wallets that are held; needs the master key',
    examples: ['holdfast payments status'],
  }).action(action(async (run) => show(run, await (await run.asMaster()).service.paymentHold())));

  define(payments, {
    name: 'hold <reason>',
    what: 'sign nothing that leaves a wallet and make no payout until the release; needs the master key',
    examples: ['holdfast payments hold "the ledger is being checked"'],
  }).action(
    action(async (run, [reason]) => show(run, await (await run.asMaster()).service.holdPayments({ reason: reason! }))),
  );

  define(payments, {
    name: 'release',
    what: 'let payments go on, or those of one wallet, whose unexplained payments are accepted; needs the master key',
    examples: ['holdfast payments release', 'holdfast payments release --wallet wal_01J…'],
  })
    .option('--wallet <walletId>', 'only this wallet')
    .option('--accept-lost-payouts', 'closes the breaks of payouts without a withdrawal')
    .option('--anyway', 'although not everything was compared with the ledger and the payment provider')
    .action(
      action<{ wallet?: string; anyway?: boolean; acceptLostPayouts?: boolean }>(async (run) => {
        const { wallet, anyway = false, acceptLostPayouts = false } = run.options;
        const body = { ...(wallet === undefined ? {} : { walletId: wallet }), anyway, acceptLostPayouts };
        show(run, await (await run.asMaster()).service.releasePayments(body));
      }),
    );
};

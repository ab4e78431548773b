// Money out, through the payment provider or over the ledger.

import type { CreateWithdrawalInput, CurrencyCode, Withdrawal } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { checkedAmount } from '../money.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const WITHDRAWALS: readonly Column<Withdrawal>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'user', of: ({ userId }) => userId },
  { title: 'status', of: ({ status }) => status },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'to', of: ({ destination }) => destination.type, minor: true },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const show = ({ out }: Run<unknown>, withdrawal: Withdrawal): void => {
  const { destination } = withdrawal;
  if (out.isJson) out.json(withdrawal);
  else
    out.facts([
      ['id', withdrawal.id],
      ['user', withdrawal.userId],
      ['status', withdrawal.status],
      ['amount', `${withdrawal.amount} ${withdrawal.currency}`],
      ['to', `${destination.type} ${destination.address ?? destination.email ?? destination.ref ?? ''}`.trimEnd()],
      ['memo', destination.memo === undefined ? null : `${destination.memoType} ${destination.memo}`],
      ['provider id', withdrawal.providerPayoutId],
      ['transaction', withdrawal.transactionHash],
      ['waits for', withdrawal.actionRequired],
      ['why', withdrawal.failureReason],
      ['created', dayOf(withdrawal.createdAt)],
      ['completed', dayOf(withdrawal.completedAt)],
    ]);
};

const MEMO_TYPES = ['text', 'id', 'hash', 'return'] as const;
type MemoType = (typeof MEMO_TYPES)[number];

type CreateOptions = KeyOption & {
  readonly currency?: CurrencyCode;
  readonly email?: string;
  readonly address?: string;
  readonly memo?: string;
  readonly memoType?: MemoType;
  /** False with `--no-commit`. */
  readonly commit: boolean;
};

const destinationOf = ({ email, address, memo, memoType }: CreateOptions): CreateWithdrawalInput['destination'] => {
  if ((email === undefined) === (address === undefined)) {
    throw wrongUsage('Set the destination: either --email for the payment provider, or --address on the ledger.');
  }
  if ((memo === undefined) !== (memoType === undefined)) throw wrongUsage('Set --memo and --memo-type together.');
  if (memo !== undefined && address === undefined) throw wrongUsage('--memo belongs to --address.');
  if (address === undefined) return { type: 'payment_account', email };
  if (memo === undefined || memoType === undefined) return { type: 'crypto', address };
  return { type: 'crypto', address, memo, memoType };
};

export const addWithdrawalCommands = (program: Command): void => {
  const withdrawals = define(program, {
    name: 'withdrawals',
    what: 'money out, through the payment provider or over the ledger',
    examples: ['holdfast withdrawals list'],
  });

  pageOptions(
    define(withdrawals, {
      name: 'list',
      ids: true,
      what: 'withdrawals, newest first',
      examples: ['holdfast withdrawals list'],
    }),
  )
    .option('--user <userId>', 'only withdrawals of this user')
    .action(
      action<PageOptions & { readonly user?: string }>(async (run) => {
        const list = run.client.withdrawals.list({ ...pageQuery(run.options), userId: run.options.user });
        await showPage(run, { list, columns: WITHDRAWALS, none: 'No matching withdrawals.' });
      }),
    );

  define(withdrawals, {
    name: 'show <withdrawalId>',
    ids: true,
    what: 'show one withdrawal',
    examples: ['holdfast withdrawals show wdr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.withdrawals.get(id!))));

  keyOption(
    define(withdrawals, {
      name: 'create <userId> <amount>',
      ids: true,
      what: 'create and pay a withdrawal',
      examples: ['holdfast withdrawals create usr_01J… 50.00 --email ada@shop.example'],
    }),
  )
    .option('--currency <code>', 'currency; the base currency when left out')
    .option('--email <address>', 'e-mail of the receiver at the payment provider')
    .option('--address <address>', 'address on the ledger, G… or muxed M…')
    .option('--memo <memo>', 'memo of the payment on the ledger')
    .addOption(choice('--memo-type <type>', { what: 'kind of the memo', of: [...MEMO_TYPES] }))
    .option('--no-commit', 'only reserve the amount; `holdfast withdrawals commit` pays it')
    .action(
      action<CreateOptions>(async (run, [userId, amount]) => {
        const destination = destinationOf(run.options);
        const checked = checkedAmount(amount!);
        const currency = run.options.currency ?? ((await run.client.service.config()).baseCurrency as CurrencyCode);
        const input = { userId: userId!, amount: checked, currency, destination, commit: run.options.commit };
        show(run, await run.client.withdrawals.create(input, { idempotencyKey: run.options.idempotencyKey }));
      }),
    );

  define(withdrawals, {
    name: 'commit <withdrawalId>',
    ids: true,
    what: 'pay a withdrawal that was created with --no-commit',
    examples: ['holdfast withdrawals commit wdr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.withdrawals.commit(id!))));

  define(withdrawals, {
    name: 'refresh <withdrawalId>',
    ids: true,
    what: 'ask the payment provider for the status now',
    examples: ['holdfast withdrawals refresh wdr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.withdrawals.refresh(id!))));
};

// Money in through the payment provider.

import type { TopUp } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { checkedAmount } from '../money.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const TOPUPS: readonly Column<TopUp>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'user', of: ({ userId }) => userId },
  { title: 'status', of: ({ status }) => status },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const show = ({ out }: Run<unknown>, topup: TopUp): void => {
  if (out.isJson) out.json(topup);
  else
    out.facts([
      ['id', topup.id],
      ['user', topup.userId],
      ['status', topup.status],
      ['amount', `${topup.amount} ${topup.currency}`],
      ['pay at', topup.confirmationUri],
      ['provider id', topup.providerPayinId],
      ['why', topup.failureReason],
      ['created', dayOf(topup.createdAt)],
    ]);
};

type ListOptions = PageOptions & { readonly user?: string };

export const addTopupCommands = (program: Command): void => {
  const topups = define(program, {
    name: 'topups',
    what: 'money in through the payment provider',
    examples: ['holdfast topups create usr_01J… 50.00', 'holdfast topups list'],
  });

  pageOptions(
    define(topups, { name: 'list', ids: true, what: 'top-ups, newest first', examples: ['holdfast topups list'] }),
  )
    .option('--user <userId>', 'only top-ups of this user')
    .action(
      action<ListOptions>(async (run) => {
        const list = run.client.topups.list({ ...pageQuery(run.options), userId: run.options.user });
        await showPage(run, { list, columns: TOPUPS, none: 'No matching top-ups.' });
      }),
    );

  define(topups, {
    name: 'show <topupId>',
    ids: true,
    what: 'show one top-up',
    examples: ['holdfast topups show top_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.topups.get(id!))));

  keyOption(
    define(topups, {
      name: 'create <userId> <amount>',
      ids: true,
      what: 'request a payment; `holdfast trigger payin.succeeded` pays it in the sandbox',
      examples: ['holdfast topups create usr_01J… 50.00'],
    }),
  ).action(
    action<KeyOption>(async (run, [userId, amount]) => {
      const input = { userId: userId!, amount: checkedAmount(amount!) };
      show(run, await run.client.topups.create(input, { idempotencyKey: run.options.idempotencyKey }));
    }),
  );

  keyOption(
    define(topups, {
      name: 'cancel <topupId>',
      ids: true,
      what: 'cancel a top-up that its payer has not confirmed',
      examples: ['holdfast topups cancel top_01J… --reason "wrong amount"'],
    }),
  )
    .option('--reason <text>', 'reason; part of the event')
    .action(
      action<KeyOption & { readonly reason?: string }>(async (run, [id]) => {
        const { reason, idempotencyKey } = run.options;
        show(run, await run.client.topups.cancel(id!, { reason }, { idempotencyKey }));
      }),
    );

  define(topups, {
    name: 'refresh <topupId>',
    ids: true,
    what: 'ask the payment provider for the status now',
    examples: ['holdfast topups refresh top_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.topups.refresh(id!))));
};

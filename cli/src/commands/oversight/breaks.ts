// Breaks: the differences between the books and the outside systems.

import { BREAK_KINDS, type Break, type Surplus } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const COLUMNS: readonly Column<Break>[] = [
  { title: 'id', of: ({ id }) => id, flexible: true },
  { title: 'expected', align: 'right', of: ({ expected }) => expected },
  { title: 'actual', align: 'right', of: ({ actual }) => actual },
  { title: 'difference', align: 'right', of: ({ difference }) => difference },
  { title: 'since', of: ({ firstSeenAt }) => clockOf(firstSeenAt) },
  { title: 'resolved', of: ({ resolvedAt }) => (resolvedAt === null ? '' : clockOf(resolvedAt)), minor: true },
];

const show = ({ out }: Run<unknown>, found: Break): void => {
  if (out.isJson) {
    out.json(found);
    return;
  }
  out.facts([
    ['id', found.id],
    ['kind', found.kind],
    ['subject', found.subject],
    ['owner', found.owner],
    ['user', found.userId],
    ['order', found.orderId],
    ['expected', found.expected],
    ['actual', found.actual],
    ['difference', found.difference],
    ['reason', found.reason],
    ['first seen', clockOf(found.firstSeenAt)],
    ['last seen', clockOf(found.lastSeenAt)],
    ['resolved', found.resolvedAt === null ? 'no' : clockOf(found.resolvedAt)],
  ]);
};

type Kind = Break['kind'];

/** Kind and subject, joined by a colon. */
const partsOf = (id: string): { readonly kind: Kind; readonly subject: string } => {
  const kind = BREAK_KINDS.find((one) => id.startsWith(`${one}:`));
  if (kind === undefined) throw wrongUsage(`The id of a break is <kind>:<subject>. Kinds: ${BREAK_KINDS.join(', ')}.`);
  return { kind, subject: id.slice(kind.length + 1) };
};

type ListOptions = PageOptions & { readonly kind?: Kind; readonly subject?: string; readonly all?: boolean };

const SURPLUSES: readonly Column<Surplus>[] = [
  { title: 'contract', of: ({ contractId }) => contractId },
  { title: 'order', of: ({ orderId }) => orderId },
  { title: 'expected', align: 'right', of: ({ expected }) => expected, minor: true },
  { title: 'actual', align: 'right', of: ({ actual }) => actual, minor: true },
  { title: 'surplus', align: 'right', of: ({ amount }) => amount },
  { title: 'since', of: ({ firstSeenAt }) => clockOf(firstSeenAt) },
];

/** Two other comparisons of the books with the outside. */
const addComparisons = (breaks: Command): void => {
  pageOptions(
    define(breaks, {
      name: 'surpluses',
      what: 'escrow contracts into which others have paid more than the order',
      examples: ['holdfast breaks surpluses'],
    }),
  ).action(
    action<PageOptions>(async (run) => {
      const list = run.client.reconciliation.surpluses(pageQuery(run.options));
      await showPage(run, { list, columns: SURPLUSES, none: 'No surpluses.' });
    }),
  );

  define(breaks, {
    name: 'float',
    what: "what all marketplaces have at the payment provider, beside the provider's balance; needs the master key",
    examples: ['holdfast breaks float'],
  }).action(
    action(async ({ out, asMaster }) => {
      const total = await (await asMaster()).reconciliation.floatTotal();
      if (out.isJson) return out.json(total);
      out.facts([
        ['books', `${total.held} ${total.currency}`],
        ['in transit', total.inTransit],
        ['provider', total.provider ?? 'does not answer'],
        ['difference', total.difference],
        ['open payments', String(total.openPayments)],
      ]);
    }),
  );
};

export const addBreakCommands = (program: Command): void => {
  const breaks = define(program, {
    name: 'breaks',
    what: 'differences between the books and the outside systems',
    examples: ['holdfast breaks list', 'holdfast breaks show payout-amount:wdr_01J…'],
  });

  pageOptions(
    define(breaks, {
      name: 'list',
      ids: true,
      what: 'open breaks, newest first',
      examples: ['holdfast breaks list', 'holdfast breaks list --all --kind contract'],
    }),
  )
    .option('--all', 'also resolved ones')
    .addOption(choice('--kind <kind>', { what: 'only of this kind', of: BREAK_KINDS }))
    .option('--subject <subject>', 'only about this address, contract, order, payout, withdrawal or top-up')
    .action(
      action<ListOptions>(async (run) => {
        const { kind, subject, all } = run.options;
        const query = { ...pageQuery(run.options), kind, subject, ...(all ? {} : { open: true }) };
        const list = run.client.reconciliation.breaks(query);
        await showPage(run, { list, columns: COLUMNS, none: 'No breaks.' });
      }),
    );

  define(breaks, {
    name: 'show <breakId>',
    ids: true,
    what: 'show one break: whose it is, its figures and its reason',
    examples: ['holdfast breaks show payout-amount:wdr_01J…'],
  }).action(
    action(async (run, [id]) => {
      const { items } = await run.client.reconciliation.breaks(partsOf(id!)).page();
      if (!items[0]) throw wrongUsage('There is no such break. `holdfast breaks list --all` shows all.');
      show(run, items[0]);
    }),
  );

  addComparisons(breaks);
};

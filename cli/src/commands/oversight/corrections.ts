// Corrections: bring a record out of a state that no other command can leave, with its figures before and after.

import { CORRECTION_KINDS, type Correction } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, type KeyOption, keyOption, pageOptions } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { clockOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

type Kind = Correction['kind'];

const amountOf = ({ amount, currency }: Correction): string | null =>
  amount === null ? null : `${amount} ${currency}`;

const COLUMNS: readonly Column<Correction>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'resource', of: ({ resourceId }) => resourceId, flexible: true },
  { title: 'amount', align: 'right', of: amountOf },
  { title: 'by', of: ({ by }) => by.name, flexible: true },
  { title: 'when', of: ({ createdAt }) => clockOf(createdAt), minor: true },
];

const wordOf = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

const show = ({ out }: Run<unknown>, correction: Correction): void => {
  if (out.isJson) {
    out.json(correction);
    return;
  }
  const { before, after, by } = correction;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  out.facts([
    ['id', correction.id],
    ['kind', correction.kind],
    ['resource', correction.resourceId],
    ['order', correction.orderId],
    ['amount', amountOf(correction)],
    ['reason', correction.reason],
    ['by', `${by.name} (${by.id})`],
    ['when', clockOf(correction.createdAt)],
    ...names.map((name): [string, string] => {
      const was = wordOf(before[name]);
      const is = wordOf(after[name]);
      return [name, was === is ? was : `${was} → ${is}`];
    }),
  ]);
};

type CreateOptions = KeyOption & { readonly reason: string; readonly amount?: string };

const kindOf = (text: string): Kind => {
  const kind = CORRECTION_KINDS.find((one) => one === text);
  if (kind === undefined) throw wrongUsage(`Kinds: ${CORRECTION_KINDS.join(', ')}.`);
  return kind;
};

const addCreate = (corrections: Command): void => {
  keyOption(
    define(corrections, {
      name: 'create <kind> <resourceId>',
      ids: true,
      what: 'correct a record; it is refused when it does not fit the facts',
      examples: [
        'holdfast corrections create retry-operation opn_01J… --reason "the provider answers again"',
        'holdfast corrections create settle-payout wdr_01J… --reason "the payee got less than asked for" --dry-run',
      ],
    }),
  )
    .requiredOption('--reason <text>', 'why; at least ten characters, kept with the figures')
    .option('--amount <amount>', 'only where the kind takes one')
    .action(
      action<CreateOptions>(async (run, [kind, resourceId]) => {
        const { reason, amount, idempotencyKey } = run.options;
        const input = { kind: kindOf(kind!), resourceId: resourceId!, reason, ...(amount ? { amount } : {}) };
        show(run, await run.client.corrections.create(input, { idempotencyKey }));
      }),
    );
};

type ListOptions = PageOptions & { readonly kind?: Kind; readonly resource?: string };

export const addCorrectionCommands = (program: Command): void => {
  const corrections = define(program, {
    name: 'corrections',
    what: 'ways out of states that no other command can leave',
    examples: ['holdfast corrections list', 'holdfast corrections show cor_01J…'],
  });
  addCreate(corrections);

  pageOptions(
    define(corrections, {
      name: 'list',
      ids: true,
      what: 'corrections, newest first',
      examples: ['holdfast corrections list --kind close-break'],
    }),
  )
    .addOption(choice('--kind <kind>', { what: 'only of this kind', of: CORRECTION_KINDS }))
    .option('--resource <id>', 'only of this order, operation, withdrawal, top-up or break')
    .action(
      action<ListOptions>(async (run) => {
        const { kind, resource: resourceId } = run.options;
        const list = run.client.corrections.list({ ...pageQuery(run.options), kind, resourceId });
        await showPage(run, { list, columns: COLUMNS, none: 'No matching corrections.' });
      }),
    );

  define(corrections, {
    name: 'show <correctionId>',
    ids: true,
    what: 'show one correction with its figures before and after',
    examples: ['holdfast corrections show cor_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.corrections.get(id!))));
};

// Policies, the versioned rules of orders, and the deadlines that an order got from its policy.

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type CreatePolicyInput, DEADLINE_KINDS, type Order, type Policy } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define, pageOptions } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { clockOf, momentOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const POLICIES: readonly Column<Policy>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name, flexible: true },
  { title: 'version', align: 'right', of: ({ version }) => String(version) },
  { title: 'rules', of: ({ rules }) => Object.keys(rules).join(', '), flexible: true },
  { title: 'created', of: ({ createdAt }) => clockOf(createdAt), minor: true },
];

const showPolicy = ({ out }: Run<unknown>, policy: Policy): void => {
  if (out.isJson) {
    out.json(policy);
    return;
  }
  out.facts([
    ['id', policy.id],
    ['name', policy.name],
    ['version', String(policy.version)],
    ['created', clockOf(policy.createdAt)],
  ]);
  out.line(JSON.stringify(policy.rules, null, 2));
};

const rulesIn = async (file: string): Promise<CreatePolicyInput['rules']> => {
  const reading = file === '-' ? readAll(process.stdin) : readFile(file, 'utf8');
  const text = await reading.catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`${file} cannot be read (${error.code}).`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`${file} does not contain JSON: ${(error as Error).message}`);
  }
};

export const addPolicyCommands = (program: Command): void => {
  const policies = define(program, {
    name: 'policies',
    what: 'versioned rules of orders: deadlines, fees and who may act',
    examples: ['holdfast policies list', 'holdfast policies create standard rules.json'],
  });

  pageOptions(
    define(policies, {
      name: 'list',
      ids: true,
      what: 'versions of policies, newest first',
      examples: ['holdfast policies list --name standard'],
    }),
  )
    .option('--name <name>', 'only versions of this name')
    .action(
      action<PageOptions & { readonly name?: string }>(async (run) => {
        const list = run.client.policies.list({ ...pageQuery(run.options), name: run.options.name });
        await showPage(run, { list, columns: POLICIES, none: 'No policies.' });
      }),
    );

  define(policies, {
    name: 'show <policyId>',
    ids: true,
    what: 'show one version with its rules',
    examples: ['holdfast policies show pol_01J…'],
  }).action(action(async (run, [id]) => showPolicy(run, await run.client.policies.get(id!))));

  define(policies, {
    name: 'create <name> <file>',
    ids: true,
    what: 'publish the rules of a JSON file as the next version of a name; - reads standard input',
    examples: ['holdfast policies create standard rules.json'],
  }).action(
    action(async (run, [name, file]) => {
      const rules = await rulesIn(file!);
      showPolicy(run, await run.client.policies.create({ name: name!, rules }));
    }),
  );
};

type Deadline = Order['deadlines'][number];
type Kind = Deadline['kind'];

const DEADLINES: readonly Column<Deadline & { readonly id: string }>[] = [
  { title: 'deadline', of: ({ kind, of }) => (of === null ? kind : `${kind} of ${of}`) },
  { title: 'milestone', of: ({ milestoneRef }) => milestoneRef, minor: true },
  { title: 'passes', of: ({ at }) => clockOf(at) },
  { title: 'status', of: ({ status }) => status },
  { title: 'problem', of: ({ failure }) => failure ?? null, flexible: true, minor: true },
];

const showDeadlines = ({ out }: Run<unknown>, order: Order): void => {
  if (out.isJson) out.json(order);
  else if (order.deadlines.length === 0) out.note('The order has no deadlines.');
  else
    out.table(
      order.deadlines.map((each) => ({ ...each, id: each.kind })),
      DEADLINES,
    );
};

const kindOf = (text: string): Kind => {
  const kind = DEADLINE_KINDS.find((each) => each === text);
  if (kind !== undefined) return kind;
  throw wrongUsage(`Unknown deadline "${text}". Deadlines: ${DEADLINE_KINDS.join(', ')}.`);
};

type ChangeOptions = { readonly milestone?: string; readonly reason?: string };

const CHANGES = [
  { name: 'hold', call: 'holdDeadline', what: 'stop a deadline until it is resumed or triggered' },
  {
    name: 'resume',
    call: 'resumeDeadline',
    what: 'let a held deadline go on; it passes at once when its time was reached',
  },
  { name: 'trigger', call: 'triggerDeadline', what: 'carry out now what a deadline does when it passes' },
] as const;

const ofDeadline = (command: Command): Command =>
  command
    .option('--milestone <ref>', 'milestone of the deadline, where it has one')
    .option('--reason <text>', 'reason; kept in the audit trail');

export const addDeadlineCommands = (program: Command): void => {
  const deadlines = define(program, {
    name: 'deadlines',
    what: 'deadlines that an order got from its policy',
    examples: ['holdfast deadlines list ord_01J…', 'holdfast deadlines hold ord_01J… auto_release'],
  });

  define(deadlines, {
    name: 'list <orderId>',
    ids: true,
    what: 'deadlines of an order, earliest first',
    examples: ['holdfast deadlines list ord_01J…'],
  }).action(action(async (run, [id]) => showDeadlines(run, await run.client.orders.get(id!))));

  for (const { name, call, what } of CHANGES) {
    const command = define(deadlines, {
      name: `${name} <orderId> <deadline>`,
      ids: true,
      what,
      examples: [`holdfast deadlines ${name} ord_01J… auto_release --reason "agreed"`],
    });
    ofDeadline(command).action(
      action<ChangeOptions>(async (run, [id, kind]) => {
        const { milestone: milestoneRef, reason } = run.options;
        showDeadlines(run, await run.client.orders[call](id!, { kind: kindOf(kind!), milestoneRef, reason }));
      }),
    );
  }

  ofDeadline(
    define(deadlines, {
      name: 'extend <orderId> <deadline> <time>',
      ids: true,
      what: 'set a later time',
      examples: ['holdfast deadlines extend ord_01J… auto_release 2026-12-24T12:00:00Z'],
    }),
  ).action(
    action<ChangeOptions>(async (run, [id, kind, time]) => {
      const { milestone: milestoneRef, reason } = run.options;
      const until = momentOf(time!).toISOString();
      const order = await run.client.orders.extendDeadline(id!, { kind: kindOf(kind!), milestoneRef, reason, until });
      showDeadlines(run, order);
    }),
  );
};

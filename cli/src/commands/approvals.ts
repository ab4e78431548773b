// Approvals: list the requests that wait, decide about them, and set the rules that make them wait.

import type { Approval, ApprovalRule } from '@holdfast/sdk';
import { APPROVAL_ACTIONS, APPROVAL_STATUSES } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, gather, pageOptions } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { clockOf } from '../times.ts';
import type { Column } from '../view/table.ts';

const amountOf = ({ amount, currency }: Approval): string | null => (amount === null ? null : `${amount} ${currency}`);

const COLUMNS: readonly Column<Approval>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status },
  { title: 'action', of: (approval) => approval.action },
  { title: 'amount', align: 'right', of: amountOf },
  { title: 'requested by', of: ({ requestedBy }) => requestedBy.name, flexible: true },
  { title: 'expires', of: ({ expiresAt }) => clockOf(expiresAt), minor: true },
];

const RULES: readonly Column<ApprovalRule & { readonly id: string }>[] = [
  { title: 'action', of: (rule) => rule.action },
  { title: 'from', align: 'right', of: ({ amountFrom }) => amountFrom ?? 'any amount' },
  { title: 'currency', of: ({ currency }) => currency ?? 'any' },
  { title: 'role', of: ({ role }) => role ?? 'any' },
];

const show = ({ out }: Run<unknown>, approval: Approval): void => {
  if (out.isJson) {
    out.json(approval);
    return;
  }
  const { request, requestedBy, decidedBy } = approval;
  out.facts([
    ['id', approval.id],
    ['status', approval.status],
    ['action', approval.action],
    ['amount', amountOf(approval)],
    ['request', `${request.method} ${request.path}`],
    ['body', request.body === null ? null : JSON.stringify(request.body)],
    ['order', approval.orderId],
    ['user', approval.userId],
    ['requested by', `${requestedBy.name} (${requestedBy.id})`],
    ['expires', approval.status === 'PENDING' ? clockOf(approval.expiresAt) : null],
    ['decided by', decidedBy && `${decidedBy.name} (${decidedBy.id})`],
    ['reason', approval.reason],
    ['problem', approval.error && `${approval.error.code}: ${approval.error.message}`],
  ]);
};

type ListOptions = PageOptions & {
  readonly status?: Approval['status'];
  readonly action?: Approval['action'];
  readonly by?: string;
};

const addReads = (approvals: Command): void => {
  pageOptions(
    define(approvals, {
      name: 'list',
      ids: true,
      what: 'requests that wait for approval, or waited for it, newest first',
      examples: ['holdfast approvals list --status PENDING'],
    }),
  )
    .addOption(choice('--status <status>', { what: 'only with this status', of: APPROVAL_STATUSES }))
    .addOption(choice('--action <action>', { what: 'only of this action', of: APPROVAL_ACTIONS }))
    .option('--by <id>', 'only requests of the key, operator or user with this id')
    .action(
      action<ListOptions>(async (run) => {
        const { status, action: of, by: requestedBy } = run.options;
        const list = run.client.approvals.list({ ...pageQuery(run.options), status, action: of, requestedBy });
        await showPage(run, { list, columns: COLUMNS, none: 'No matching approvals.' });
      }),
    );

  define(approvals, {
    name: 'show <approvalId>',
    ids: true,
    what: 'show one request and what became of it',
    examples: ['holdfast approvals show apr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.approvals.get(id!))));
};

const addDecisions = (approvals: Command): void => {
  define(approvals, {
    name: 'approve <approvalId>',
    ids: true,
    what: "carry the request out; needs another key than the requester's",
    examples: ['holdfast approvals approve apr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.approvals.approve(id!))));

  define(approvals, {
    name: 'reject <approvalId>',
    ids: true,
    what: 'refuse the request; nothing is done',
    examples: ['holdfast approvals reject apr_01J… --reason "the parcel has not arrived"'],
  })
    .option('--reason <text>', 'reason; the requester sees it')
    .action(
      action<{ readonly reason?: string }>(async (run, [id]) =>
        show(run, await run.client.approvals.reject(id!, { reason: run.options.reason })),
      ),
    );

  define(approvals, {
    name: 'cancel <approvalId>',
    ids: true,
    what: 'withdraw a request of your own',
    examples: ['holdfast approvals cancel apr_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.approvals.cancel(id!))));
};

/** For example `order.release`, `order.release:1000.00` or `order.release:1000.00:USD`. */
const ruleOf = (text: string): ApprovalRule => {
  const [of = '', amountFrom, currency, ...more] = text.split(':');
  if (!(APPROVAL_ACTIONS as readonly string[]).includes(of) || more.length > 0) {
    throw wrongUsage(
      `A rule is <action>, <action>:<amount> or <action>:<amount>:<currency>. Actions: ${APPROVAL_ACTIONS.join(', ')}.`,
    );
  }
  return {
    action: of as ApprovalRule['action'],
    ...(amountFrom ? { amountFrom } : {}),
    ...(currency ? { currency: currency as NonNullable<ApprovalRule['currency']> } : {}),
  };
};

const showRules = ({ out }: Run<unknown>, rules: readonly ApprovalRule[]): void => {
  if (out.isJson) out.json(rules);
  else if (rules.length === 0) out.line('No rules: no request waits for approval.');
  else
    out.table(
      rules.map((rule, place) => ({ ...rule, id: String(place) })),
      RULES,
    );
};

const addRules = (approvals: Command): void => {
  define(approvals, {
    name: 'rules',
    what: 'show the rules, or replace them all; needs a key with every scope',
    examples: [
      'holdfast approvals rules',
      'holdfast approvals rules --set order.release:1000.00:USD --set withdrawal.commit',
      'holdfast approvals rules --clear',
    ],
  })
    .option(
      '--set <rule>',
      'a new rule: <action>, <action>:<amount> or <action>:<amount>:<currency>; may be repeated',
      gather,
    )
    .option('--clear', 'remove all rules')
    .action(
      action<{ readonly set?: string[]; readonly clear?: boolean }>(async (run) => {
        const { set = [], clear = false } = run.options;
        if (clear && set.length > 0) throw wrongUsage('Give --set or --clear, not both.');
        const isChange = clear || set.length > 0;
        const { approvals: resource } = run.client;
        showRules(run, isChange ? await resource.setRules(set.map(ruleOf)) : await resource.rules());
      }),
    );
};

export const addApprovalCommands = (program: Command): void => {
  const approvals = define(program, {
    name: 'approvals',
    what: 'requests that wait for another person, and the rules that make them wait',
    examples: ['holdfast approvals list --status PENDING', 'holdfast approvals approve apr_01J…'],
  });
  addReads(approvals);
  addDecisions(approvals);
  addRules(approvals);
};

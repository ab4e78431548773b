// `--dry-run`: the first request of a command that would change something is sent as a preview. The command ends there, and the preview
// is shown instead of its result.

import type { Preview } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Out } from './view/out.ts';
import type { Column } from './view/table.ts';

/** Commands of one request that the server can preview. */
const PREVIEWED: ReadonlySet<string> = new Set([
  ...['create', 'update', 'suspend', 'reactivate', 'credit', 'debit'].map((name) => `users ${name}`),
  ...['reserve', 'release', 'cancel-reservation', 'deduct-reserved'].map((name) => `users ${name}`),
  ...['create', 'reserve', 'escrow', 'fund', 'release', 'cancel', 'refund'].map((name) => `orders ${name}`),
  ...['milestone-release', 'milestone-refund', 'milestone-dispute'].map((name) => `orders ${name}`),
  ...['open', 'assign', 'resolve', 'submit', 'message'].map((name) => `disputes ${name}`),
  ...['create', 'cancel'].map((name) => `topups ${name}`),
  ...['create', 'commit'].map((name) => `withdrawals ${name}`),
  ...['float', 'credit-line'].map((name) => `marketplaces ${name}`),
  ...['update', 'delete'].map((name) => `webhooks ${name}`),
  ...['approve', 'reject', 'cancel'].map((name) => `approvals ${name}`),
  ...['hold', 'resume', 'extend', 'trigger'].map((name) => `deadlines ${name}`),
  ...['disable', 'update', 'delete', 'end-session'].map((name) => `operators ${name}`),
  'policies create',
  'wallets link',
  'notes add',
  'corrections create',
  'limits set',
  'keys revoke',
]);

const OPTION = '--dry-run';

export type DryRunOption = { readonly dryRun?: boolean };

/** Adds the option to the commands of the list. */
export const addPreviews = (program: Command): void => {
  for (const group of program.commands) {
    for (const command of group.commands) {
      if (!PREVIEWED.has(`${group.name()} ${command.name()}`)) continue;
      command.option(OPTION, 'show what it would do, and change nothing');
    }
  }
};

/** Sends changes as previews, and keeps the first one. */
export const createPreviewFetch = () => {
  let found: Preview<unknown> | null = null;
  return {
    found: (): Preview<unknown> | null => found,
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      const { method = 'GET' } = init;
      if (method === 'GET') return fetch(input, init);
      const headers = new Headers(init.headers);
      headers.set('dry-run', 'true');
      const response = await fetch(input, { ...init, headers });
      if (!response.ok) return response;
      if (response.headers.get('dry-run') !== 'true') {
        throw new Error('The server does not know previews and may have carried the request out.');
      }
      found = ((await response.json()) as { data: Preview<unknown> }).data;
      // Nothing more may be sent: the next request would need what this one only previewed.
      throw new Error('The command ends with its preview.');
    },
  };
};

type Posting = Preview<unknown>['postings'][number];
type Balance = Preview<unknown>['balances'][number];

const POSTINGS: readonly Column<Posting>[] = [
  { title: 'MOVE', of: ({ move }) => move },
  { title: 'AMOUNT', of: ({ amount, currency }) => `${amount} ${currency}`, align: 'right' },
  { title: 'FROM', of: ({ from }) => from, flexible: true },
  { title: 'TO', of: ({ to }) => to, flexible: true },
];

const BALANCES: readonly Column<Balance>[] = [
  { title: 'USER', of: ({ userId }) => userId },
  { title: 'CURRENCY', of: ({ currency }) => currency, minor: true },
  { title: 'AVAILABLE', of: ({ before }) => before.available, align: 'right' },
  { title: 'THEN', of: ({ after }) => after.available, align: 'right' },
  { title: 'RESERVED', of: ({ before }) => before.reserved, align: 'right' },
  { title: 'THEN', of: ({ after }) => after.reserved, align: 'right' },
];

const statusOf = (reply: unknown): string => {
  const { status } = (reply ?? {}) as { status?: unknown };
  return typeof status === 'string' ? `, status ${status}` : '';
};

export const showPreview = (out: Out, preview: Preview<unknown>): void => {
  if (out.isJson) {
    out.json(preview);
    return;
  }
  const { reply, postings, balances, events, calls } = preview;
  out.line(`Preview: the request would succeed${statusOf(reply)}. Nothing was changed.`);
  if (postings.length > 0) out.table(postings, POSTINGS);
  if (balances.length > 0) out.table(balances, BALANCES);
  if (events.length > 0) out.line(`Events: ${events.map(({ type }) => type).join(', ')}`);
  if (calls.length > 0)
    out.line(`Outside calls: ${calls.map(({ system, operation }) => `${system} ${operation}`).join(', ')}`);
};

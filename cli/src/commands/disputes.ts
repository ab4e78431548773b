// Disputes: open, assign, resolve.

import type {
  Dispute,
  DisputeDecision,
  DisputeOpener,
  DisputeReason,
  DisputeStatus,
  ResolveDisputeInput,
} from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, gather, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { DISPUTES, showDispute } from '../view/orders.ts';
import { addDisputeFileCommands } from './people/dispute-files.ts';

const DECISIONS: readonly DisputeDecision[] = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'];
const STATUSES: readonly DisputeStatus[] = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'];
export const OPENERS: readonly DisputeOpener[] = ['BUYER', 'SELLER'];
export const REASONS: readonly DisputeReason[] = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'];

const show = ({ out }: Run<unknown>, dispute: Dispute): void =>
  out.isJson ? out.json(dispute) : showDispute(out, dispute);

type ListOptions = PageOptions & {
  readonly status?: DisputeStatus;
  readonly order?: string;
  readonly buyer?: string;
  readonly seller?: string;
  readonly after?: string;
  readonly before?: string;
};
type OpenOptions = { readonly by: DisputeOpener; readonly reason: DisputeReason; readonly evidence?: string[] };
type ResolveOptions = KeyOption & {
  readonly decision: DisputeDecision;
  readonly seller?: string;
  readonly buyer?: string;
  readonly note?: string;
};

export const addDisputeCommands = (program: Command): void => {
  const disputes = define(program, {
    name: 'disputes',
    what: 'disputes about orders',
    examples: ['holdfast disputes list --status OPEN'],
  });
  addReads(disputes);
  addOpen(disputes);
  addAssign(disputes);
  addResolve(disputes);
  addDisputeFileCommands(disputes);
};

const addReads = (disputes: Command): void => {
  pageOptions(
    define(disputes, {
      name: 'list',
      ids: true,
      what: 'disputes, newest first',
      examples: ['holdfast disputes list --status OPEN'],
    }),
  )
    .addOption(choice('--status <status>', { what: 'only with this status', of: STATUSES }))
    .option('--order <orderId>', 'only disputes of this order')
    .option('--buyer <userId>', 'only disputes about orders of this buyer')
    .option('--seller <userId>', 'only disputes about orders of this seller')
    .option('--after <time>', 'only disputes opened after this date or time')
    .option('--before <time>', 'only disputes opened before this date or time')
    .action(
      action<ListOptions>(async (run) => {
        const { status, order: orderId, buyer: buyerId, seller: sellerId } = run.options;
        const { after: createdAfter, before: createdBefore } = run.options;
        const query = { status, orderId, buyerId, sellerId, createdAfter, createdBefore };
        const list = run.client.disputes.list({ ...pageQuery(run.options), ...query });
        await showPage(run, { list, columns: DISPUTES, none: 'No matching disputes.' });
      }),
    );

  define(disputes, {
    name: 'show <disputeId>',
    ids: true,
    what: 'show one dispute',
    examples: ['holdfast disputes show dsp_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.disputes.get(id!))));
};

const addOpen = (disputes: Command): void => {
  define(disputes, {
    name: 'open <orderId>',
    ids: true,
    what: 'open a dispute; no money moves until it is resolved',
    examples: ['holdfast disputes open ord_01J… --by BUYER --reason QUALITY_ISSUE'],
  })
    .addOption(choice('--by <side>', { what: 'who opens the dispute', of: OPENERS }).makeOptionMandatory())
    .addOption(choice('--reason <reason>', { what: 'reason of the dispute', of: REASONS }).makeOptionMandatory())
    .option('--evidence <url>', 'URL of evidence; may be repeated', gather)
    .action(
      action<OpenOptions>(async (run, [id]) => {
        const { by: openedBy, reason, evidence } = run.options;
        show(run, await run.client.orders.dispute(id!, { openedBy, reason, evidence }));
      }),
    );
};

const addAssign = (disputes: Command): void => {
  define(disputes, {
    name: 'assign <disputeId> <who>',
    ids: true,
    what: 'assign the dispute to an agent; any name of yours',
    examples: ['holdfast disputes assign dsp_01J… grace'],
  }).action(
    action(async (run, [id, assignedTo]) =>
      show(run, await run.client.disputes.assign(id!, { assignedTo: assignedTo! })),
    ),
  );
};

const addResolve = (disputes: Command): void => {
  keyOption(
    define(disputes, {
      name: 'resolve <disputeId>',
      ids: true,
      what: 'resolve the dispute and pay as decided',
      examples: [
        'holdfast disputes resolve dsp_01J… --decision FULL_REFUND --note "never sent"',
        'holdfast disputes resolve dsp_01J… --decision SPLIT --seller 35.00 --buyer 25.00',
      ],
    }),
  )
    .addOption(choice('--decision <decision>', { what: 'the decision', of: DECISIONS }).makeOptionMandatory())
    .option('--seller <amount>', "the seller's part of a SPLIT, before the platform fee")
    .option('--buyer <amount>', "the buyer's part of a SPLIT")
    .option('--note <text>', 'reason for the decision')
    .action(
      action<ResolveOptions>(async (run, [id]) => {
        const { decision, seller: releaseAmount, buyer: refundAmount, note } = run.options;
        const { idempotencyKey } = run.options;
        // The server says which parts are missing or too many.
        const input = { decision, releaseAmount, refundAmount, note } as ResolveDisputeInput;
        show(run, await run.client.disputes.resolve(id!, input, { idempotencyKey }));
      }),
    );
};

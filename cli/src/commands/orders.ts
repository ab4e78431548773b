// The commands of orders: list, show, create, and each action on an order.

import type {
  DisputeOpener,
  DisputeReason,
  GetOutlookResult,
  ListOrdersQuery,
  Order,
  OrderStatus,
} from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../define.ts';
import { agreementOf, type OrderOptions, orderOptions } from '../order-input.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { counted } from '../view/counted.ts';
import { ORDERS, showOrder } from '../view/orders.ts';
import type { Column } from '../view/table.ts';
import { timelineLines } from '../view/timeline.ts';
import { OPENERS, REASONS } from './disputes.ts';
import { addReceiptCommand } from './documents.ts';
import { addOrderRun } from './orders-run.ts';

const STATUSES: readonly OrderStatus[] = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
  'DISPUTED',
  'CLOSED',
];

const show = ({ out }: Run<unknown>, order: Order): void => (out.isJson ? out.json(order) : showOrder(out, order));

type Step = {
  readonly name: string;
  readonly what: string;
  take(run: Run<{ readonly reason?: string }>, id: string): Promise<Order>;
  readonly takesReason?: true;
};

const STEPS: readonly Step[] = [
  { name: 'reserve', what: "reserve the buyer's money", take: ({ client }, id) => client.orders.reserve(id) },
  {
    name: 'escrow',
    what: 'deploy the contract on the ledger',
    take: ({ client }, id) => client.orders.createEscrow(id),
  },
  {
    name: 'fund',
    what: 'pay the reserved money into the contract',
    take: ({ client }, id) => client.orders.fundEscrow(id),
  },
  {
    name: 'release',
    what: 'pay the seller, minus the platform fee',
    take: ({ client, options: { reason } }, id) => client.orders.release(id, { reason }),
    takesReason: true,
  },
  {
    name: 'cancel',
    what: 'cancel the order while no money is in escrow',
    take: ({ client, options: { reason } }, id) => client.orders.cancel(id, { reason }),
    takesReason: true,
  },
];

const completeAll = async (
  { client, out }: Run<unknown>,
  { id, refs }: { id: string; refs: readonly string[] },
): Promise<Order> => {
  let order = await client.orders.get(id);
  const open = order.milestones.filter(({ status }) => status === 'OPEN').map(({ ref }) => ref);
  if (refs.length === 0 && open.length === 0) out.note('The order has no open milestones. Nothing was changed.');
  for (const ref of refs.length > 0 ? refs : open) order = await client.orders.completeMilestone(id, ref);
  return order;
};

type ListOptions = PageOptions &
  Pick<ListOrdersQuery, 'q' | 'status'> & { readonly buyer?: string; readonly seller?: string };

const addList = (orders: Command): void => {
  pageOptions(
    define(orders, {
      name: 'list',
      ids: true,
      what: 'orders, newest first',
      examples: ['holdfast orders list --status IN_PROGRESS'],
    }),
  )
    .option('--q <text>', 'search by id, reference or title')
    .addOption(choice('--status <status>', { what: 'only with this status', of: STATUSES }))
    .option('--buyer <userId>', 'only orders of this buyer')
    .option('--seller <userId>', 'only orders of this seller')
    .action(
      action<ListOptions>(async (run) => {
        const { q, status, buyer: buyerId, seller: sellerId } = run.options;
        const list = run.client.orders.list({ ...pageQuery(run.options), q, status, buyerId, sellerId });
        await showPage(run, { list, columns: ORDERS, none: 'No matching orders.' });
      }),
    );
};

const addShow = (orders: Command): void => {
  define(orders, {
    name: 'show <orderId>',
    ids: true,
    what: 'show one order with its timeline',
    examples: ['holdfast orders show ord_01J…'],
  })
    .option('--audit', 'also show audit entries')
    .action(
      action<{ readonly audit?: boolean }>(async ({ client, out, options }, [id]) => {
        const [order, timeline] = await Promise.all([client.orders.get(id!), client.orders.timeline(id!)]);
        if (out.isJson) return out.json({ ...order, timeline });
        const entries = timeline.entries.filter(({ kind }) => options.audit || kind !== 'audit');
        showOrder(out, order);
        out.line('');
        out.lines(timelineLines({ ...timeline, entries }, out));
        const hidden = timeline.entries.length - entries.length;
        if (hidden > 0) out.note(out.notePaint.dim(`\n${counted(hidden, 'audit entry')} hidden: --audit shows them`));
      }),
    );
};

type OutlookStep = GetOutlookResult['steps'][number];

const OUTLOOK: readonly Column<OutlookStep>[] = [
  { title: 'WHEN', of: ({ at }) => at },
  { title: 'DEADLINE', of: ({ kind, of }) => (of === null ? kind : `${kind} of ${of}`) },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'DOES', of: ({ does, refusal }) => does ?? refusal?.code ?? null },
  { title: 'ORDER THEN', of: ({ preview }) => preview && (preview.reply.finalStatus ?? preview.reply.status) },
];

const addOutlook = (orders: Command): void => {
  define(orders, {
    name: 'outlook <orderId>',
    what: 'show what happens when, if no one acts',
    examples: ['holdfast orders outlook ord_01J…'],
  }).action(
    action(async ({ client, out }, [id]) => {
      const outlook = await client.orders.outlook(id!);
      if (out.isJson) return out.json(outlook);
      if (outlook.steps.length === 0) return out.note('No deadline is to come.');
      out.table(outlook.steps, OUTLOOK);
    }),
  );
};

const addCreate = (orders: Command): void => {
  orderOptions(
    define(orders, {
      name: 'create',
      ids: true,
      what: 'create an order; no money moves yet',
      examples: ['holdfast orders create --buyer usr_01J… --seller usr_01K… --amount 20.00 --title "A chair"'],
    }),
  )
    .requiredOption('--buyer <userId>', 'who pays')
    .requiredOption('--seller <userId>', 'who is paid')
    .action(
      action<OrderOptions & { readonly buyer: string; readonly seller: string }>(async (run) => {
        const { buyer: buyerId, seller: sellerId } = run.options;
        show(run, await run.client.orders.create({ buyerId, sellerId, ...agreementOf(run.options) }));
      }),
    );
};

const addSteps = (orders: Command): void => {
  for (const { name, what, take, takesReason } of STEPS) {
    const command = define(orders, {
      name: `${name} <orderId>`,
      ids: true,
      what,
      examples: [`holdfast orders ${name} ord_01J…`],
    });
    if (takesReason) command.option('--reason <text>', 'reason; kept in the audit trail');
    command.action(action<{ readonly reason?: string }>(async (run, [id]) => show(run, await take(run, id!))));
  }

  define(orders, {
    name: 'complete <orderId> [refs...]',
    ids: true,
    what: 'complete the named milestones, or all open ones',
    examples: ['holdfast orders complete ord_01J… draft', 'holdfast orders complete ord_01J…'],
  }).action(action(async (run, [id, ...refs]) => show(run, await completeAll(run, { id: id!, refs }))));
};

const addRefund = (orders: Command): void => {
  define(orders, {
    name: 'refund <orderId>',
    ids: true,
    what: 'pay the buyer back in full',
    examples: ['holdfast orders refund ord_01J… --reason "out of stock"'],
  })
    .requiredOption('--reason <text>', 'reason; kept in the audit trail')
    .action(
      action<{ readonly reason: string }>(async (run, [id]) =>
        show(run, await run.client.orders.refund(id!, { reason: run.options.reason })),
      ),
    );
};

type MilestoneStep = {
  readonly name: string;
  readonly what: string;
  take(run: Run<{ readonly reason?: string }>, at: { id: string; ref: string }): Promise<Order>;
};

const MILESTONE_STEPS: readonly MilestoneStep[] = [
  {
    name: 'milestone-release',
    what: 'pay the seller one completed milestone, minus its part of the platform fee',
    take: ({ client, options: { reason } }, { id, ref }) => client.orders.releaseMilestone(id, { ref, reason }),
  },
  {
    name: 'milestone-refund',
    what: 'pay the buyer one milestone back; needs --reason',
    take: ({ client, options: { reason = '' } }, { id, ref }) => client.orders.refundMilestone(id, { ref, reason }),
  },
];

const addMilestoneSteps = (orders: Command): void => {
  for (const { name, what, take } of MILESTONE_STEPS) {
    const isRefund = name === 'milestone-refund';
    const reason = isRefund ? ' --reason "out of stock"' : '';
    const command = define(orders, {
      name: `${name} <orderId> <ref>`,
      ids: true,
      what,
      examples: [`holdfast orders ${name} ord_01J… draft${reason}`],
    });
    if (isRefund) command.requiredOption('--reason <text>', 'reason; kept in the audit trail');
    else command.option('--reason <text>', 'reason; kept in the audit trail');
    command.action(
      action<{ readonly reason?: string }>(async (run, [id, ref]) =>
        show(run, await take(run, { id: id!, ref: ref! })),
      ),
    );
  }

  define(orders, {
    name: 'milestone-dispute <orderId> <ref>',
    ids: true,
    what: 'open a dispute about one milestone; the others go on',
    examples: ['holdfast orders milestone-dispute ord_01J… draft --by BUYER --reason QUALITY_ISSUE'],
  })
    .addOption(choice('--by <party>', { what: 'who opens it', of: OPENERS }).makeOptionMandatory())
    .addOption(choice('--reason <reason>', { what: 'reason of the dispute', of: REASONS }).makeOptionMandatory())
    .action(
      action<{ readonly by: DisputeOpener; readonly reason: DisputeReason }>(async (run, [id, ref]) => {
        const { by: openedBy, reason } = run.options;
        const order = await run.client.orders.disputeMilestone(id!, { ref: ref!, openedBy, reason });
        // A script goes on with the new dispute; it knows the order.
        if (run.out.onlyIds) run.out.json({ id: order.milestones.find((each) => each.ref === ref)?.disputeId });
        else show(run, order);
      }),
    );
};

export const addOrderCommands = (program: Command): void => {
  const orders = define(program, {
    name: 'orders',
    what: 'orders and their escrow',
    examples: ['holdfast orders list', 'holdfast orders run --amount 20.00 --release'],
  });

  addOrderRun(orders);
  addList(orders);
  addShow(orders);
  addOutlook(orders);
  addReceiptCommand(orders);
  addCreate(orders);
  addSteps(orders);
  addRefund(orders);
  addMilestoneSteps(orders);
};

// What happens to an order when, if no one acts: its pending deadlines in their order, each carried out on the same snapshot as a preview,
// so that each one sees what those before it did. Nothing is changed.

import type { OperationKind } from '@holdfast/contract/states.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Command, type Context, command } from '../../commit/command.ts';
import type { Preview, PreviewChanges, Previews } from '../../commit/preview/preview.ts';
import { confirmResolution } from '../disputes/resolve-dispute.ts';
import { finishSettlement, readOrder } from '../escrows/operations/preview-escrow.ts';
import { confirmMilestoneRefund, confirmMilestoneRelease } from '../escrows/pay-milestone.ts';
import { confirmRefundCommand, confirmReleaseCommand } from '../escrows/release-and-refund.ts';
import type { Operation } from '../operations/operation.ts';
import type { OrderView } from '../orders/order.ts';
import { type Deadline, isLive } from '../policies/deadline.ts';
import { passDeadline } from './pass-deadline.ts';

export type OutlookStep = {
  readonly deadline: Deadline;
  /** Null: it is held, or refused. */
  readonly passed: { readonly changes: PreviewChanges; readonly order: OrderView } | null;
  /** Why it would not be carried out now. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
};

type Confirm = Command<{ readonly orderId: string; readonly operationId: string }, void>;

/** The operations that a deadline can begin. */
const CONFIRM: Readonly<Partial<Record<OperationKind, Confirm>>> = {
  release: confirmReleaseCommand,
  refund: confirmRefundCommand,
  'resolve-dispute': confirmResolution,
  'release-milestone': confirmMilestoneRelease,
  'refund-milestone': confirmMilestoneRefund,
};

/** An order has fewer deadlines; it only bounds a mistake. */
const STEPS_MAX = 200;

const readOperation = command<string, Operation>({
  name: 'read-operation',
  needs: (id) => ({ rows: [{ table: 'operations', id }] }),
  decide: (id, work) => work.get('operations', id),
});

const byTime = (a: Deadline, b: Deadline): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

const passOne = async (preview: Preview, deadline: Deadline): Promise<OutlookStep> => {
  const { orderId, id: deadlineId } = deadline;
  preview.setDeadlineTime(deadline.at);
  try {
    const { operationId } = await preview.run({ command: passDeadline, input: { orderId, deadlineId } });
    const operation = operationId === null ? null : await preview.run({ command: readOperation, input: operationId });
    const confirm = operation && CONFIRM[operation.kind];
    if (operation && confirm) await finishSettlement(preview, { confirm, operation });
    const changes = await preview.takeChanges();
    return {
      deadline,
      passed: { changes, order: await preview.run({ command: readOrder, input: { orderId } }) },
      refusal: null,
    };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    await preview.takeChanges();
    return { deadline, passed: null, refusal: { code: error.code, message: error.message } };
  }
};

const walk = async (preview: Preview, orderId: string): Promise<OutlookStep[]> => {
  const steps: OutlookStep[] = [];
  const seen = new Set<string>();
  while (steps.length < STEPS_MAX) {
    const { deadlines } = await preview.run({ command: readOrder, input: { orderId } });
    const next = deadlines.filter((each) => isLive(each) && !seen.has(each.id)).sort(byTime)[0];
    if (!next) break;
    seen.add(next.id);
    steps.push(next.status === 'HELD' ? { deadline: next, passed: null, refusal: null } : await passOne(preview, next));
  }
  return steps;
};

export const createOutlook =
  (previews: Previews) =>
  (context: Context, orderId: string): Promise<OutlookStep[]> =>
    previews.run(context, (preview) => walk(preview, orderId));

export type Outlook = ReturnType<typeof createOutlook>;

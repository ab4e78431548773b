// What happens to an order when, if no one acts: its pending deadlines in their order, each carried out on the same snapshot as a preview,
// so that each one sees what those before it did. Nothing is changed.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { OperationKind } from '@holdfast/contract/states.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Command, type Context, command } from '../../commit/command.ts';
import type { Preview, PreviewChanges, Previews } from '../../commit/preview/preview.ts';
import { confirmResolution } from '../disputes/resolve-dispute.ts';
import { finishSettlement, readOrder } from '../escrows/operations/preview-escrow.ts';
import { confirmMilestoneRelease } from '../escrows/pay-milestone.ts';
import { confirmReleaseCommand } from '../escrows/release-and-refund.ts';
import type { Operation } from '../operations/operation.ts';
import type { OrderView } from '../orders/order.ts';
import { type Deadline, isLive } from '../policies/deadline.ts';
import { type Passed, passDeadline } from './pass-deadline.ts';

export type OutlookStep = {
  readonly deadline: Deadline;
  /** Null: it is held, or refused. */
  readonly passed: { readonly changes: PreviewChanges; readonly before: OrderView; readonly after: OrderView } | null;
  /** Why it would not be carried out now. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
};

/** `isCut`: later deadlines are left out. */
export type OrderOutlook = { readonly steps: readonly OutlookStep[]; readonly isCut: boolean };

type Confirm = Command<{ readonly orderId: string; readonly operationId: string }, void>;

/** The operations that a deadline can begin. */
const CONFIRM: Readonly<Partial<Record<OperationKind, Confirm>>> = {
  release: confirmReleaseCommand,
  'resolve-dispute': confirmResolution,
  'release-milestone': confirmMilestoneRelease,
};

const readOperation = command<string, Operation>({
  name: 'read-operation',
  needs: (id) => ({ rows: [{ table: 'operations', id }] }),
  decide: (id, work) => work.get('operations', id),
});

/** Carries what a deadline has begun to its end. Returns the order afterwards. */
const finish = async (preview: Preview, { view, operationId }: Passed): Promise<OrderView> => {
  if (operationId === null) return preview.run({ command: readOrder, input: { orderId: view.order.id } });
  const operation = await preview.run({ command: readOperation, input: operationId });
  const confirm = CONFIRM[operation.kind];
  if (!confirm) throw new Error(`the outlook does not know how ${operation.kind} ends`);
  return finishSettlement(preview, { confirm, operation });
};

/** For the preview of a trigger: the order as it is once the deadline has done its work. */
export const finishPassed = async (preview: Preview, passed: Passed): Promise<Passed> => ({
  ...passed,
  view: await finish(preview, passed),
});

/** A refused deadline stays PENDING and is tried again later. */
const ifRefused = (error: unknown): null => {
  if (isDomainError(error)) return null;
  throw error;
};

/** For the preview of a resume: a deadline whose time has passed while it was held is carried out at once. */
export const finishResumed = async (preview: Preview, resumed: OrderView): Promise<OrderView> => {
  const orderId = resumed.order.id;
  let view = resumed;
  for (const { id: deadlineId } of resumed.deadlines.filter(({ status }) => status === 'PENDING')) {
    const passed = await preview.run({ command: passDeadline, input: { orderId, deadlineId } }).catch(ifRefused);
    if (passed && passed.action !== null) view = await finish(preview, passed);
  }
  return view;
};

type Passing = { readonly deadline: Deadline; readonly before: OrderView };

const passOne = async (preview: Preview, { deadline, before }: Passing): Promise<OutlookStep> => {
  const { orderId, id: deadlineId } = deadline;
  preview.setDeadlineTime(deadline.at);
  try {
    const after = await finish(preview, await preview.run({ command: passDeadline, input: { orderId, deadlineId } }));
    return { deadline, passed: { changes: await preview.takeChanges(), before, after }, refusal: null };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    await preview.takeChanges();
    return { deadline, passed: null, refusal: { code: error.code, message: error.message } };
  }
};

const walk = async (preview: Preview, orderId: string): Promise<OrderOutlook> => {
  const steps: OutlookStep[] = [];
  const seen = new Set<string>();
  let view = await preview.run({ command: readOrder, input: { orderId } });
  const nextOf = ({ deadlines }: OrderView): Deadline | undefined =>
    deadlines.find((each) => isLive(each) && !seen.has(each.id));
  for (let next = nextOf(view); next; next = nextOf(view)) {
    if (steps.length === LIMITS.outlookSteps) return { steps, isCut: true };
    seen.add(next.id);
    if (next.status === 'HELD') steps.push({ deadline: next, passed: null, refusal: null });
    else steps.push(await passOne(preview, { deadline: next, before: view }));
    view = steps.at(-1)?.passed?.after ?? view;
    // A long outlook only computes: other requests of the process get their turn between its steps.
    await nextTurn();
  }
  return { steps, isCut: false };
};

export const createOutlook =
  (previews: Previews) =>
  (context: Context, orderId: string): Promise<OrderOutlook> =>
    previews.run(context, (preview) => walk(preview, orderId));

export type Outlook = ReturnType<typeof createOutlook>;

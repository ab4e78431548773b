// How an outlook looks: each step shows what it changes, not the whole order again, so that the answer grows only with its changes.

import { isDeepStrictEqual } from 'node:util';
import type { PreviewChanges } from '../../commit/preview/preview.ts';
import { presentChanges } from '../../http/answer-preview.ts';
import type { OrderView } from '../orders/order.ts';
import { presentDeadline, presentMilestone, presentOrder } from '../orders/present.ts';
import type { OrderOutlook, OutlookStep } from './outlook.ts';

/** What happened in the preview, as its own event says it. */
export const doneBy = ({ events }: PreviewChanges) => {
  const event = events.findLast(({ type }) => type.startsWith('order.deadline_'));
  const { action = 'REMIND' } = (event?.payload ?? {}) as { action?: 'CANCEL' | 'RELEASE' | 'REFUND' | 'REMIND' };
  return action;
};

type Two<Value> = { readonly before: Value; readonly after: Value };

/** The rows that are new or other than before. */
const changedRows = <Row extends { readonly id: string }>({ before, after }: Two<readonly Row[]>): Row[] => {
  const known = new Map(before.map((row) => [row.id, row]));
  return after.filter((row) => !isDeepStrictEqual(row, known.get(row.id)));
};

const changedFields = <Fields extends object>({ before, after }: Two<Fields>): Partial<Fields> => {
  const old = before as Readonly<Record<string, unknown>>;
  const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, old[name]));
  return Object.fromEntries(changed) as Partial<Fields>;
};

/** Rows are compared apart, because an order has many. */
const withoutRows = (view: OrderView) => {
  const { milestones: _milestones, deadlines: _deadlines, ...fields } = presentOrder({ ...view, deadlines: [] });
  return fields;
};

const presentChangedOrder = ({ before, after }: Two<OrderView>) => {
  const { id, status, finalStatus } = after.order;
  const milestones = changedRows({ before: before.milestones, after: after.milestones });
  const deadlines = changedRows({ before: before.deadlines, after: after.deadlines });
  return {
    ...changedFields({ before: withoutRows(before), after: withoutRows(after) }),
    id,
    status,
    finalStatus,
    ...(milestones.length === 0 ? {} : { milestones: milestones.map(presentMilestone) }),
    ...(deadlines.length === 0 ? {} : { deadlines: deadlines.map(presentDeadline) }),
  };
};

const presentStep = ({ deadline, passed, refusal }: OutlookStep) => ({
  ...presentDeadline(deadline),
  does: passed && doneBy(passed.changes),
  refusal,
  preview: passed && { reply: presentChangedOrder(passed), ...presentChanges(passed.changes) },
});

export const presentOutlook = ({ steps, isCut }: OrderOutlook) => ({ steps: steps.map(presentStep), more: isCut });

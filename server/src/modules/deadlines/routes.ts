// Routes that change the deadlines of an order.

import * as api from '@holdfast/contract/api/policies.ts';
import type { DeadlineKind } from '@holdfast/contract/states.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { PreviewChanges } from '../../commit/preview/preview.ts';
import { presentChanges } from '../../http/answer-preview.ts';
import type { Weighed } from '../../http/approval-terms.ts';
import { validField } from '../../http/checked-values.ts';
import { type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { presentDeadline, presentOrder } from '../orders/present.ts';
import { extendDeadline, holdDeadline, type NamedDeadline, resumeDeadline } from './change-deadline.ts';
import type { Outlook, OutlookStep } from './outlook.ts';
import { triggerDeadline } from './pass-deadline.ts';

type Request = {
  readonly params: { readonly id: string; readonly kind: DeadlineKind };
  readonly body: { readonly reason?: string; readonly milestoneRef?: string };
};

const named = ({ params: { id: orderId, kind }, body }: Request): NamedDeadline => {
  const { reason = null, milestoneRef = null } = body ?? {};
  if (kind === 'reminder') throw validationError(['kind must not be reminder: reminders follow their deadline']);
  if (kind === 'milestone_inspection' && milestoneRef === null) {
    throw validationError(['milestoneRef is required for milestone_inspection']);
  }
  if (kind !== 'milestone_inspection' && kind !== 'dispute_decision' && milestoneRef !== null) {
    throw validationError([`milestoneRef is only for a milestone, not for ${kind}`]);
  }
  return { orderId, kind, milestoneRef, reason };
};

/** In the form of stored times, which compare as text. The schema has checked it. */
const instant = (text: string): string => formatInstant(parseInstant(text)!);

/** What happened in the preview, as its own event says it. */
const doneBy = ({ events }: PreviewChanges) => {
  const event = events.findLast(({ type }) => type.startsWith('order.deadline_'));
  const { action = 'REMIND' } = (event?.payload ?? {}) as { action?: 'CANCEL' | 'RELEASE' | 'REFUND' | 'REMIND' };
  return action;
};

const presentStep = ({ deadline, passed, refusal }: OutlookStep) => ({
  ...presentDeadline(deadline),
  does: passed && doneBy(passed.changes),
  refusal,
  preview: passed && { reply: presentOrder(passed.order), ...presentChanges(passed.changes) },
});

/** The payment follows in the background, so the whole order counts. */
const weighTrigger = (
  { id: orderId, buyerId: userId, amount, currency }: ReturnType<typeof presentOrder>,
  { kind, changes }: { readonly kind: DeadlineKind; readonly changes: PreviewChanges },
): Weighed | null => {
  const does = doneBy(changes);
  if (does === 'CANCEL' || does === 'REMIND') return null;
  const direct = does === 'RELEASE' ? 'order.release' : 'order.refund';
  const action = kind === 'dispute_decision' ? 'dispute.resolve' : direct;
  return { action, amount: validField(amount), currency, orderId, userId };
};

export const deadlineRoutes = (outlook: Outlook): Route[] => [
  read(api.getOutlook, async ({ params: { id }, context }) => ({
    orderId: id,
    steps: (await outlook(context, id)).map(presentStep),
  })),
  write(api.holdDeadline, { command: holdDeadline, input: named, present: presentOrder }),
  write(api.resumeDeadline, { command: resumeDeadline, input: named, present: presentOrder }),
  write(api.extendDeadline, {
    command: extendDeadline,
    input: (request) => ({ ...named(request), until: instant(request.body.until) }),
    present: presentOrder,
  }),
  write(api.triggerDeadline, {
    command: triggerDeadline,
    input: named,
    present: ({ view }) => presentOrder(view),
    approval: {
      actions: ['order.release', 'order.refund', 'dispute.resolve'],
      weighPreview: ({ data, routeRequest: { params }, changes }) => weighTrigger(data, { kind: params.kind, changes }),
    },
  }),
];

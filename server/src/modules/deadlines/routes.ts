// Routes that change the deadlines of an order.

import * as api from '@holdfast/contract/api/policies.ts';
import type { DeadlineKind } from '@holdfast/contract/states.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { PreviewChanges } from '../../commit/preview/preview.ts';
import type { Weighed } from '../../http/approval-terms.ts';
import { validField } from '../../http/checked-values.ts';
import { type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { presentOrder } from '../orders/present.ts';
import { extendDeadline, holdDeadline, type NamedDeadline, resumeDeadline } from './change-deadline.ts';
import { finishPassed, finishResumed, type Outlook } from './outlook.ts';
import { triggerDeadline } from './pass-deadline.ts';
import { doneBy, presentOutlook } from './present.ts';

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

/** The whole order counts, also where it is only about one milestone. */
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
  read(api.getOutlook, async ({ params: { id: orderId }, context }) => ({
    orderId,
    ...presentOutlook(await outlook(context, orderId)),
  })),
  write(api.holdDeadline, { command: holdDeadline, input: named, present: presentOrder }),
  write(api.resumeDeadline, {
    command: resumeDeadline,
    input: named,
    present: presentOrder,
    preview: { finish: finishResumed },
  }),
  write(api.extendDeadline, {
    command: extendDeadline,
    input: (request) => ({ ...named(request), until: instant(request.body.until) }),
    present: presentOrder,
  }),
  write(api.triggerDeadline, {
    command: triggerDeadline,
    input: named,
    present: ({ view }) => presentOrder(view),
    preview: { finish: finishPassed },
    approval: {
      actions: ['order.release', 'order.refund', 'dispute.resolve'],
      weighPreview: ({ data, routeRequest: { params }, changes }) => weighTrigger(data, { kind: params.kind, changes }),
    },
  }),
];

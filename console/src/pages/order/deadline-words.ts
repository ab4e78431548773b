// The names of deadlines.

import type { Order } from '@holdfast/sdk';
import { isolateBidi } from '../../parts/bidi.ts';

export type Deadline = Order['deadlines'][number];

const NAMES: Readonly<Record<Deadline['kind'], string>> = {
  cancel_unfunded: 'Cancel, if not funded',
  auto_release: 'Release to the seller',
  dispute_decision: 'Decide the dispute',
  milestone_inspection: 'End of the inspection',
  reminder: 'Reminder',
};

const titleOf = (order: Pick<Order, 'milestones'>, ref: string): string =>
  order.milestones.find((milestone) => milestone.ref === ref)?.title ?? ref;

export const deadlineName = ({ kind, of, milestoneRef }: Deadline, order: Pick<Order, 'milestones'>): string => {
  const about = milestoneRef ? `: ${isolateBidi(titleOf(order, milestoneRef))}` : '';
  return of ? `Reminder of “${NAMES[of]}${about}”` : `${NAMES[kind]}${about}`;
};

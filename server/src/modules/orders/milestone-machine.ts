// The life of a milestone.

import type { MilestoneStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export const MILESTONE_MACHINE: Machine<MilestoneStatus, 'complete'> = {
  subject: 'the milestone',
  status: 400,
  rows: [{ from: 'OPEN', on: 'complete', to: 'COMPLETED', emits: ['escrow.milestone_completed'] }],
};

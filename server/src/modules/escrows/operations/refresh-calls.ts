// Reads from the provider's record which calls of a contract were made, where our own rows do not have them.

import type { EscrowFlags, EscrowRecord } from '../../../providers/ports.ts';
import { callKey, type DoneCall, type Escrow, isCalled } from '../escrow.ts';

/** The record does not show the shares of a resolution, so an unknown resolution counts for neither side. */
const fromFlags = (flags: EscrowFlags | null, milestone: number | null): DoneCall[] => {
  if (!flags) return [];
  return [
    ...(flags.disputed || flags.resolved ? [{ call: 'dispute', milestone } as const] : []),
    ...(flags.released ? [{ call: 'release', milestone } as const] : []),
    ...(flags.resolved ? [{ call: 'resolve', milestone } as const] : []),
  ];
};

/** The calls of the record that the escrow's row does not have yet. */
export const callsSeen = (record: EscrowRecord, escrow: Escrow): DoneCall[] => {
  const seen = [
    ...fromFlags(record.flags, null),
    ...record.milestones.flatMap((milestone, place): DoneCall[] => [
      ...(milestone.approved
        ? [{ call: 'change-status', milestone: place } as const, { call: 'approve', milestone: place } as const]
        : []),
      ...fromFlags(milestone.flags, place),
    ]),
  ];
  const fresh = seen.filter((call) => !isCalled(escrow, call));
  return [...new Map(fresh.map((call) => [callKey(call), call])).values()];
};

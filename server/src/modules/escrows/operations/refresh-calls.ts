// What the provider's record of a contract says about the calls that were made, where our own rows know less.

import type { EscrowFlags, EscrowRecord } from '../../../providers/ports.ts';
import { callKey, type DoneCall, type Escrow, isCalled } from '../escrow.ts';

/** A resolution that we do not know of: who got what cannot be read, so it counts for neither side. */
const fromFlags = (flags: EscrowFlags | null, milestone: number | null): DoneCall[] => {
  if (!flags) return [];
  return [
    ...(flags.disputed || flags.resolved ? [{ call: 'dispute', milestone } as const] : []),
    ...(flags.released ? [{ call: 'release', milestone } as const] : []),
    ...(flags.resolved ? [{ call: 'resolve', milestone } as const] : []),
  ];
};

/** Those of the record's calls that the escrow's row does not hold yet. */
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

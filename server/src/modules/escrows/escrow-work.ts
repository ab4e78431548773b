// How commands move an escrow on: by the rows of its machine and in no other way.

import { transition } from '../../base/machine.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import type { Escrow } from './escrow.ts';
import { ESCROW_MACHINE, type EscrowTrigger } from './machine.ts';

/** Refuses when the escrow's state does not allow the trigger. */
export const escrowRow = <On extends EscrowTrigger>(escrow: Escrow, on: On) =>
  transition(ESCROW_MACHINE, { from: escrow.status, on });

export const putEscrow = (work: UnitOfWork, escrow: Escrow, change: Partial<Escrow>): Escrow => {
  const changed = { ...escrow, ...change, updatedAt: work.now };
  work.put('escrows', changed);
  return changed;
};

// Carries out the deadlines of orders when they are due.

import type { Clock } from '../../base/instant.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { createDueTimer } from '../../jobs/due-timer.ts';
import { passDeadline } from './pass-deadline.ts';
import type { DeadlineReads, DueDeadline } from './queries.ts';

type Options = {
  readonly submit: Submit;
  readonly reads: DeadlineReads;
  /** The clock that deadlines follow. */
  readonly clock: Clock;
  onTrouble(message: string, error: unknown): void;
};

const contextOf = ({ marketplaceId, id }: DueDeadline): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deadlines' },
  requestId: id,
});

export const createDeadlineTimer = ({ submit, reads, clock, onTrouble }: Options) =>
  createDueTimer<DueDeadline>({
    listDue: reads.listDue,
    pass: (due) =>
      runCommand(submit, {
        command: passDeadline,
        input: { orderId: due.orderId, deadlineId: due.id },
        context: contextOf(due),
      }),
    clock,
    words: { one: 'a deadline could not be carried out', all: 'the deadlines that are due could not be read' },
    onTrouble,
  });

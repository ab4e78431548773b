// Carries out the deadlines of orders when they are due, and counts what this process has carried out.

import type { Clock } from '../../base/instant.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { createDueTimer } from '../../jobs/due-timer.ts';
import type { PassedDeadline } from '../../observability/deadline-metrics.ts';
import { passDeadline } from './pass-deadline.ts';
import type { DeadlineReads, DueDeadline } from './queries.ts';

type Options = {
  readonly submit: Submit;
  readonly reads: Pick<DeadlineReads, 'listDue'>;
  /** The clock that deadlines follow. */
  readonly clock: Clock;
  /** Counts what this process has carried out. */
  onPassed?(passed: PassedDeadline): void;
  onTrouble(message: string, error: unknown): void;
};

const contextOf = ({ marketplaceId, id }: DueDeadline): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deadlines' },
  requestId: id,
});

export const createDeadlineTimer = ({ submit, reads, clock, onPassed, onTrouble }: Options) =>
  createDueTimer<DueDeadline>({
    listDue: reads.listDue,
    async pass(due) {
      const { kind, orderId, id: deadlineId } = due;
      try {
        const input = { orderId, deadlineId };
        const { action } = await runCommand(submit, { command: passDeadline, input, context: contextOf(due) });
        if (action !== null) onPassed?.({ kind, outcome: action });
      } catch (error) {
        onPassed?.({ kind, outcome: 'WAITS' });
        throw error;
      }
    },
    clock,
    words: { one: 'a deadline could not be carried out', all: 'the deadlines that are due could not be read' },
    onTrouble,
  });

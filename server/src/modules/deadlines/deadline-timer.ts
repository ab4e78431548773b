// Carries out deadlines when they are due: reads those of the next second once a second, page by page, and waits for the earliest. Every
// server does this; the command checks the row, so each deadline is carried out once. Deadlines of one marketplace are carried out in order.

import { isDomainError } from '../../base/domain-error.ts';
import { type Clock, formatInstant, parseInstant } from '../../base/instant.ts';
import { backOffMs, within } from '../../base/wait.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { PassedDeadline } from '../../observability/deadline-metrics.ts';
import { passDeadline } from './pass-deadline.ts';
import type { DeadlineReads, DueDeadline } from './queries.ts';

type Options = {
  readonly submit: Submit;
  readonly reads: DeadlineReads;
  /** The clock that deadlines follow. */
  readonly clock: Clock;
  /** Counts what this process has carried out. */
  onPassed?(passed: PassedDeadline): void;
  onTrouble(message: string, error: unknown): void;
};

const POLL_MS = 1_000;
const AT_ONCE = 500;
const CLOSE_WAIT_MS = 5_000;
const BACK_OFF = { firstMs: 1_000, maxMs: 60_000 };
/** Refused deadlines that this process waits for. Above it, the oldest are tried again with the next read. */
const REFUSED_MAX = 100_000;

type Refused = { failures: number; retryAt: number };

const contextOf = ({ marketplaceId, id }: DueDeadline): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deadlines' },
  requestId: id,
});

/** Deadlines that were refused, such as while an operation runs on the order. Only in memory: a refusal leaves no trace. */
const createRefusals = () => {
  const refused = new Map<string, Refused>();
  return {
    isWaiting: ({ id }: DueDeadline): boolean => (refused.get(id)?.retryAt ?? 0) > performance.now(),
    add(id: string): void {
      const failures = (refused.get(id)?.failures ?? 0) + 1;
      refused.delete(id);
      refused.set(id, { failures, retryAt: performance.now() + backOffMs(BACK_OFF, failures) });
      if (refused.size > REFUSED_MAX) refused.delete(refused.keys().next().value!);
    },
    forget: (id: string): void => void refused.delete(id),
  };
};

export const createDeadlineTimer = ({ submit, reads, clock, onPassed, onTrouble }: Options) => {
  const refusals = createRefusals();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** The end of the last page, when there may be more. */
  let last: DueDeadline | null = null;

  const pass = async (due: DueDeadline): Promise<void> => {
    try {
      const input = { orderId: due.orderId, deadlineId: due.id };
      const { action } = await runCommand(submit, { command: passDeadline, input, context: contextOf(due) });
      refusals.forget(due.id);
      if (action !== null) onPassed?.({ kind: due.kind, outcome: action });
    } catch (error) {
      refusals.add(due.id);
      onPassed?.({ kind: due.kind, outcome: 'WAITS' });
      if (!isDomainError(error)) onTrouble('a deadline could not be carried out and will be tried again', error);
    }
  };

  /** Returns the wait until the next read. The committer decides the commands of a marketplace in the order of their submission. */
  const round = async (): Promise<number> => {
    const until = formatInstant(clock() + POLL_MS * 1_000);
    const found = await reads.listDue({ until, after: last, limit: AT_ONCE });
    const now = formatInstant(clock());
    const due = found.filter(({ at }) => at <= now);
    await Promise.all(due.filter((each) => !refusals.isWaiting(each)).map(pass));
    // However many are refused, those after them have their turn.
    last = due.length === AT_ONCE ? due.at(-1)! : null;
    if (last) return 0;
    const next = found.find(({ at }) => at > now);
    return next ? Math.min(POLL_MS, Math.max(((parseInstant(next.at) ?? 0) - clock()) / 1_000, 0)) : POLL_MS;
  };

  const run = async (): Promise<void> => {
    let waitMs = POLL_MS;
    try {
      waitMs = await round();
    } catch (error) {
      onTrouble('the deadlines that are due could not be read', error);
    }
    if (!isClosed) schedule(waitMs);
  };

  const schedule = (waitMs: number): void => {
    timer = setTimeout(() => {
      running = run();
    }, waitMs).unref();
  };

  return {
    start: (): void => schedule(0),
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await within(running, { ms: CLOSE_WAIT_MS, late: () => {} });
    },
  };
};

// Carries out what is due at a time: reads what is due within the next second once a second, page by page, and waits for the earliest.
// Every server does this; the command checks the row, so each item is carried out once. The items of one marketplace are carried out in order.

import { isDomainError } from '../base/domain-error.ts';
import { type Clock, formatInstant, parseInstant } from '../base/instant.ts';
import { backOffMs, within } from '../base/wait.ts';

type DueItem = { readonly id: string; readonly at: string };

export type DueRequest = {
  readonly until: string;
  /** The last one of the page before; null: the first page. */
  readonly after: DueItem | null;
  readonly limit: number;
};

type Options<Item extends DueItem> = {
  /** Earliest first. */
  listDue(request: DueRequest): Promise<Item[]>;
  /** Submits the command of the item. */
  pass(item: Item): Promise<unknown>;
  /** The clock that the times follow. */
  readonly clock: Clock;
  /** For the log: what could not be done. */
  readonly words: { readonly one: string; readonly all: string };
  onTrouble(message: string, error: unknown): void;
};

const POLL_MS = 1_000;
const AT_ONCE = 500;
const CLOSE_WAIT_MS = 5_000;
const BACK_OFF = { firstMs: 1_000, maxMs: 60_000 };
/** Refused items that this process waits for. Above it, the oldest are tried again with the next read. */
const REFUSED_MAX = 100_000;

type Refused = { failures: number; retryAt: number };

/** Items that were refused, such as while an operation runs on the order. Only in memory: a refusal leaves no trace. */
const createRefusals = () => {
  const refused = new Map<string, Refused>();
  return {
    isWaiting: ({ id }: DueItem): boolean => (refused.get(id)?.retryAt ?? 0) > performance.now(),
    add(id: string): void {
      const failures = (refused.get(id)?.failures ?? 0) + 1;
      refused.delete(id);
      refused.set(id, { failures, retryAt: performance.now() + backOffMs(BACK_OFF, failures) });
      if (refused.size > REFUSED_MAX) refused.delete(refused.keys().next().value!);
    },
    forget: (id: string): void => void refused.delete(id),
  };
};

export const createDueTimer = <Item extends DueItem>(options: Options<Item>) => {
  const { clock, words, onTrouble } = options;
  const refusals = createRefusals();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** The end of the last page, when there may be more. */
  let last: Item | null = null;

  const pass = async (item: Item): Promise<void> => {
    try {
      await options.pass(item);
      refusals.forget(item.id);
    } catch (error) {
      refusals.add(item.id);
      if (!isDomainError(error)) onTrouble(`${words.one} and will be tried again`, error);
    }
  };

  /** Returns the wait until the next read. The committer decides the commands of a marketplace in the order of their submission. */
  const round = async (): Promise<number> => {
    const until = formatInstant(clock() + POLL_MS * 1_000);
    const found = await options.listDue({ until, after: last, limit: AT_ONCE });
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
      onTrouble(words.all, error);
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

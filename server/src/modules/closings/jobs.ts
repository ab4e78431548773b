// Seals the months that have ended, for every marketplace, in their order. A month waits an hour after its end, so that no server whose
// clock is a little behind can still post into it. One pass over the postings since the last sealed month finds all of them.

import { laterBy } from '../../base/instant.ts';
import { pause } from '../../base/wait.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { Journal } from '../exports/journal.ts';
import type { Transfer } from '../exports/transfer.ts';
import { type Sealed, storedFigures } from './closing.ts';
import { createTally, type Figures } from './figures.ts';
import { readOpening } from './opening.ts';
import { monthAt } from './period.ts';
import type { ClosingReads } from './queries.ts';
import { sealClosing } from './seal-closing.ts';

type Parts = {
  readonly submit: Submit;
  readonly reads: ClosingReads;
  readonly journal: Journal;
  marketplaces(): Promise<string[]>;
  now(): string;
};

const SETTLES_MS = 3_600_000;

/** No sealed month comes after it. */
const LAST_MONTH = '9999-12';

type Day = { readonly date: string; readonly figures: readonly Figures[] };

/** Adds up the month that is being read, and its days. */
const createMonth = (before: readonly Figures[]) => {
  const month = createTally(before);
  const day = createTally(before);
  const days: Day[] = [];
  let date = '';
  const closeDay = (): void => {
    if (date !== '') days.push({ date, figures: day.close() });
  };
  return {
    take(transfer: Transfer): void {
      const own = transfer.postedAt.slice(0, 10);
      // The clocks of two servers differ: a posting from just before midnight may follow one from just after it.
      if (own > date) {
        closeDay();
        date = own;
      }
      month.take(transfer);
      day.take(transfer);
    },
    close(): { all: Figures[]; days: Day[] } {
      closeDay();
      return { all: month.close(), days };
    },
  };
};

type Sealing = { readonly marketplaceId: string; readonly last: Sealed | null; readonly end: string };

/** Seals each month with postings up to the end, which is the beginning of a month. */
const sealMonths = async ({ submit, reads, journal }: Parts, { marketplaceId, last, end }: Sealing): Promise<void> => {
  const auditSeq = await reads.auditSeq(marketplaceId);
  let fromAt = last?.toAt ?? null;
  let month = createMonth(await readOpening(reads, { marketplaceId, sealed: last }));
  let name: string | null = null;
  const seal = async (): Promise<void> => {
    if (name === null) return;
    const { from, to } = monthAt(name);
    const { all, days } = month.close();
    await runCommand(submit, {
      command: sealClosing,
      context: { marketplaceId, actor: { type: 'system', id: 'seal-closings' }, requestId: `seal-closings-${name}` },
      input: {
        id: name,
        fromAt: fromAt ?? from,
        toAt: to,
        auditSeq,
        currencies: all.map(storedFigures),
        days: days.map(({ date, figures }) => ({ date, currencies: figures.map(storedFigures) })),
      },
    });
    fromAt = to;
    month = createMonth(all);
  };
  let began = performance.now();
  for await (const transfers of journal.read({ marketplaceId, from: fromAt, to: end })) {
    for (const transfer of transfers) {
      const own = transfer.postedAt.slice(0, 7);
      if (name === null || own > name) {
        await seal();
        name = own;
      }
      month.take(transfer);
    }
    // A month may have millions of transfers. The job waits as long as it worked, so requests have half of the time.
    await pause(performance.now() - began);
    began = performance.now();
  }
  await seal();
};

export const sealClosings = (parts: Parts): Job => ({
  ...scheduled('seal-closings'),
  atStart: true,
  async run() {
    const end = monthAt(laterBy(parts.now(), -SETTLES_MS)).from;
    for (const marketplaceId of await parts.marketplaces()) {
      const last = await parts.reads.before(marketplaceId, LAST_MONTH);
      if (last === null || last.toAt < end) await sealMonths(parts, { marketplaceId, last, end });
    }
  },
});

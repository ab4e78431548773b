// Looks at open escrows in turn, because the provider may tell nothing by itself: a bounded number each minute, going on
// where the last round ended, and round again.

import { onTime } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { OpenEscrow } from './queries.ts';

type Options = {
  /** Open escrows of all marketplaces, after the one given. */
  listOpen(after: OpenEscrow | null, limit: number): Promise<OpenEscrow[]>;
  /** False: the provider did not answer. */
  look(open: readonly OpenEscrow[]): Promise<boolean>;
};

/** Five calls a minute of the fifty that the provider allows. */
const PAGE = 100;
const BATCH = 20;

export const pollEscrows = ({ listOpen, look }: Options): Job => {
  let last: OpenEscrow | null = null;
  return {
    ...onTime('poll-escrows'),
    atStart: true,
    async run() {
      const page = await listOpen(last, PAGE);
      for (let at = 0; at < page.length; at += BATCH) {
        const batch = page.slice(at, at + BATCH);
        // Before the look: a batch that the provider cannot answer must not be in the way of all others for ever.
        last = batch.at(-1) ?? null;
        if (!(await look(batch))) return;
      }
      if (page.length < PAGE) last = null;
    },
  };
};

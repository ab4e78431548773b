// Proves the books of every marketplace and stores the result, so that health and metrics can show it without waiting.

import type { Proof } from '../../books/proof.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';

type Options = {
  marketplaces(): Promise<string[]>;
  prove(marketplaceId: string): Promise<Proof>;
  keep(marketplaceId: string, proof: Proof): Promise<void>;
  onBreak(marketplaceId: string, proof: Proof): void;
};

export const checkProof = (options: Options): Job => ({
  ...scheduled('check-proof'),
  atStart: true,
  async run() {
    for (const marketplaceId of await options.marketplaces()) {
      const proof = await options.prove(marketplaceId);
      await options.keep(marketplaceId, proof);
      if (!proof.holds) options.onBreak(marketplaceId, proof);
    }
  },
});

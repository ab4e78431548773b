// Creates the treasury of a marketplace with its first user, and tries again until it is on the ledger.

import type { Answer } from '../../base/answer.ts';
import { createRetryTimers } from '../../base/retry-timers.ts';

const BACK_OFF = { firstMs: 500, maxMs: 600_000 };

/** The first user of a marketplace brings its treasury, so that the operator can fund it before the first wallet is needed. */
export const createTreasuryPreparation = (
  prepare: (marketplaceId: string) => Promise<Answer<unknown>>,
  onTrouble: (message: string, error: unknown) => void,
) => {
  const begun = new Set<string>();
  const retries = createRetryTimers<string>({
    backOff: BACK_OFF,
    keyOf: (marketplaceId) => marketplaceId,
    run: (marketplaceId) => attempt(marketplaceId),
  });

  const attempt = async (marketplaceId: string): Promise<void> => {
    try {
      const treasury = await prepare(marketplaceId);
      if (treasury.kind === 'yes') return retries.clear(marketplaceId);
      onTrouble('the treasury is not ready', new Error(treasury.reason));
    } catch (error) {
      onTrouble('the treasury is not ready', error);
    }
    retries.retryLater(marketplaceId);
  };

  return {
    begin(marketplaceId: string): void {
      if (begun.has(marketplaceId)) return;
      begun.add(marketplaceId);
      void attempt(marketplaceId);
    },
    close: retries.close,
  };
};

// Transfers of float on the snapshot of a preview. The payment provider is not asked for its balance.

import { paymentFloat } from '../../books/accounts.ts';
import type { Amount } from '../../books/money.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import { FLOAT_CURRENCY } from './float.ts';
import type { FloatReads } from './queries.ts';
import { createFloatTransfers, type FloatTransfers } from './transfers.ts';

type Parts = {
  readonly reads: Pick<FloatReads, 'isOpened' | 'listInTransit'>;
  /** What every marketplace is allotted of the sandbox's play money; null without a sandbox. */
  readonly play: Amount | null;
};

export const createFloatPreviews = ({ reads, play }: Parts) => {
  const transfersIn = (preview: Preview): FloatTransfers =>
    createFloatTransfers({ submit: preview.submit, openFloat: async () => true, reads, play, onTrouble() {} });

  return {
    transfersIn,

    /** What a payout prepares before its command. */
    prepare: (preview: Preview, marketplaceId: string): Promise<void> =>
      preview.assumeDone(async () => {
        // Before the first payment of the server the provider's balance is not in the books, so no play money can come from it.
        if (play !== null && !(await reads.isOpened())) await preview.assumeHeld(paymentFloat(FLOAT_CURRENCY), play);
        else await transfersIn(preview).prepare(marketplaceId);
      }),
  };
};

export type FloatPreviews = ReturnType<typeof createFloatPreviews>;

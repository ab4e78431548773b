// Settings of the treasuries: what a new wallet gets from them, how much they pay in one transaction, and when an operator
// is told that one runs low.

import { amount, integer } from './parsers.ts';
import { setting } from './setting.ts';

export const CUSTODY_SETTINGS = {
  treasury: {
    walletStartingXlm: setting({
      name: 'WALLET_STARTING_XLM',
      parser: amount,
      default: '3.00',
      meaning:
        "What a new wallet gets of the ledger's native asset: 1.5 must stay on it, the rest is for its fees. The treasury refills it.",
      example: '5.00',
    }),
    batchMax: setting({
      name: 'TREASURY_BATCH_MAX',
      // A payment is one operation and an activation two; the network takes a hundred in one transaction.
      parser: integer({ min: 1, max: 50 }),
      default: '50',
      meaning: 'Payments that a treasury makes in one transaction.',
      example: '20',
    }),
    lowUsdc: low('USDC', '100.00'),
    lowXlm: low('XLM', '50.00'),
  },
};

function low(asset: string, usual: string) {
  const meaning = `A treasury with less ${asset} than this shows up in health and metrics.`;
  return setting({ name: `TREASURY_LOW_${asset}`, parser: amount, default: usual, meaning, example: '1000.00' });
}

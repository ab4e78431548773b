// Settings of the treasuries and of deposits: the starting balance of a wallet, the size of a transaction, the limits for warnings, and
// how deposits are found and credited.

import { amount, duration, integer, oneOf } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const TREASURY_SETTINGS = {
  treasury: {
    walletStartingXlm: setting({
      name: 'WALLET_STARTING_XLM',
      parser: amount,
      default: '3.00',
      meaning:
        "Amount of the ledger's native asset that a new wallet receives: 1.5 must stay in the wallet, the rest pays its fees. The treasury refills it.",
      example: '5.00',
    }),
    batchMax: setting({
      name: 'TREASURY_BATCH_MAX',
      // A payment is one ledger operation and an activation is two. The network accepts a hundred per transaction.
      parser: integer({ min: 1, max: 50 }),
      default: '50',
      meaning: 'Payments that a treasury combines in one transaction.',
      example: '20',
    }),
    lowUsdc: low('USDC', '100.00'),
    lowXlm: low('XLM', '50.00'),
  },
};

function low(asset: string, usual: string) {
  const meaning = `Health and metrics report a treasury with less ${asset} than this.`;
  return setting({ name: `TREASURY_LOW_${asset}`, parser: amount, default: usual, meaning, example: '1000.00' });
}

export const DEPOSIT_SETTINGS = {
  deposits: {
    currency: optionalSetting({
      name: 'DEPOSIT_CURRENCY',
      parser: oneOf(['USD', 'USDC']),
      unset: 'the base currency, or USDC when that is XLM',
      meaning: 'Currency that a deposit of USDC on the ledger is credited in.',
      example: 'USDC',
    }),
    pollMs: setting({
      name: 'DEPOSIT_POLL_S',
      parser: duration({ unit: 's', min: 1, max: 3_600 }),
      default: '5',
      meaning: 'Interval at which all wallets are polled for deposits.',
      example: '15',
    }),
  },
};

// Settings of deposits: what an outsider's payment on the ledger becomes in the books, and how often we look for it.

import { duration, oneOf } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

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
      meaning: 'Time between two rounds over all wallets in which deposits are looked for.',
      example: '15',
    }),
  },
};

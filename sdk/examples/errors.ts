// Every failure is one class. Comparing the code narrows the details.

import { Holdfast, HoldfastError } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const { id } = await holdfast.users.create({ externalUserId: 'ada' });

try {
  await holdfast.balances.debit(id, { amount: '1000000.00' });
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  switch (error.code) {
    case 'INSUFFICIENT_FUNDS':
      // `details` has just what this code promises: requested, available, currency.
      console.log(`${error.details.requested} wanted, ${error.details.available} ${error.details.currency} there`);
      break;
    case 'RATE_LIMITED':
      console.log(`Again in ${error.retryAfter} seconds`);
      break;
    default:
      // The outcome is unknown: check before you repeat it.
      if (error.outcomeUnknown) console.log(`Unknown; the key was ${error.idempotencyKey}`);
      throw error;
  }
}

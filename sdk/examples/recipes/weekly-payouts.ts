// Pays every seller the available balance, from 20.00 on. A second run in the same week pays nothing twice.

import { createHash } from 'node:crypto';
import { compareAmounts, Holdfast, HoldfastError } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '', WEEK = '2026-W47' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const MINIMUM = '20.00';

/** The same user and week always give the same UUID, also after a restart in the middle of the list. */
const keyOf = (userId: string): string => {
  const hex = createHash('sha256').update(`payout ${WEEK} ${userId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

for await (const { id, externalUserId, email, balance } of holdfast.users.list({ type: 'SELLER' })) {
  const { available: amount, currency } = balance;
  // `compareAmounts` compares exactly. A number would not.
  if (email === null || compareAmounts(amount, MINIMUM) < 0) continue;
  try {
    const { status } = await holdfast.withdrawals.create(
      { userId: id, amount, currency, destination: { type: 'bank', email }, commit: true },
      { idempotencyKey: keyOf(id) },
    );
    console.log(`${externalUserId}: ${amount} ${currency}, ${status}`);
  } catch (error) {
    // One refused payout must not stop the others. A key that was used with another amount: this week is paid already.
    if (!(error instanceof HoldfastError)) throw error;
    console.log(`${externalUserId}: not paid, ${error.code}`);
  }
}

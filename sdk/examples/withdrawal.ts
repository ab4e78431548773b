// Money out: to an account at the payment provider. The type of the destination says which fields it has.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const grace = await holdfast.users.create({ externalUserId: 'withdrawal-grace' });

// The money at the payment provider comes from top-ups.
const topup = await holdfast.topups.create({ userId: grace.id, amount: '50.00' });
await holdfast.sandbox.decidePayin(topup.id, 'confirm');
await holdfast.topups.waitFor(topup.id);

// Crypto would be { type: 'crypto', address: 'G…' }, with memo and memoType where the receiver asks for them.
const withdrawal = await holdfast.withdrawals.create({
  userId: grace.id,
  amount: '20.00',
  currency: 'USD',
  destination: { type: 'bank', email: 'grace@example.com', ref: 'ending in 1234' },
});
console.log(`${(await holdfast.balances.get(grace.id)).reserved} are reserved`);

await holdfast.withdrawals.commit(withdrawal.id);
// In the sandbox you are the payment provider too.
await holdfast.sandbox.decidePayout(withdrawal.id, 'complete');
const { status } = await holdfast.withdrawals.waitFor(withdrawal.id);
console.log(`${status}, ${(await holdfast.balances.get(grace.id)).available} left`);

// Step 7: the seller takes money out, to a bank account.

import { holdfast, person, showBalance } from './shop.ts';

const grace = await person('grace');
const withdrawal = await holdfast.withdrawals.create({
  userId: grace.id,
  amount: '400.00',
  currency: 'USD',
  destination: { type: 'bank', ref: 'ending in 1234', email: 'grace@shop.example' },
});
console.log(`${withdrawal.status}: the money is set aside`);
await showBalance('grace');

const committed = await holdfast.withdrawals.commit(withdrawal.id);
console.log(committed.status);

// In the sandbox this line is the provider that pays. With a real provider, leave it out.
await holdfast.sandbox.decidePayout(withdrawal.id, 'complete');

const completed = await holdfast.withdrawals.waitFor(withdrawal.id);
console.log(completed.status);
await showBalance('grace');

// Money in: the payer confirms a top-up at the payment provider, and the balance is credited.

import { Holdfast, HoldfastError } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const ada = await holdfast.users.create({ externalUserId: 'top-up-ada' });

const topup = await holdfast.topups.create({
  userId: ada.id,
  amount: '25.00',
  returnUrl: 'https://shop.example/thanks',
});
console.log(`Send the payer to ${topup.confirmationUri ? 'confirmationUri' : 'the provider'}`);

// In the sandbox you are the payer too.
await holdfast.sandbox.decidePayin(topup.id, 'confirm');
try {
  const paid = await holdfast.topups.waitFor(topup.id, { patienceMs: 10 * 60_000 });
  console.log(`${paid.status}: ${(await holdfast.balances.get(ada.id)).available} USD`);
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  // The payer has cancelled or the payment failed; or it just takes longer, and nothing is lost.
  if (error.code === 'ENDED_OTHERWISE') console.log(`Not paid: ${error.details.state}`);
  else if (error.code === 'STILL_PENDING') console.log('The payer needs more time');
  else throw error;
}

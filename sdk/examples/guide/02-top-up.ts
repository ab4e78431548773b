// Step 2: the buyer pays money in. The payment provider's own page takes the payment; your site never sees a card.

import { holdfast, person, showBalance } from './shop.ts';

const ada = await person('ada');
const topup = await holdfast.topups.create({
  userId: ada.id,
  amount: '600.00',
  description: 'Money for a website',
  returnUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/not-paid',
});
console.log(`${topup.status}: send the buyer to ${topup.confirmationUri}`);

// In the sandbox this line is the buyer who pays on that page. With a real provider, leave it out.
await holdfast.sandbox.decidePayin(topup.id, 'confirm');

// The provider reports the payment to the server, and the server credits the balance.
const { status } = await holdfast.topups.waitFor(topup.id);
console.log(status);
await showBalance('ada');

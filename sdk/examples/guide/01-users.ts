// Step 1: two users. Each gets a balance of zero and a wallet on the ledger.

import { person, showBalance } from './shop.ts';

const ada = await person('ada');
const grace = await person('grace');
console.log(`The buyer is ${ada.id}`);
console.log(`The seller is ${grace.id}`);

// The same call again answers with the same user. A repeated registration does no harm.
const again = await person('ada');
console.log(`Created twice: ${again.id !== ada.id}`);
await showBalance('ada');

// The statement of a user, line by line and as CSV.

import { addAmounts, Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const ada = await holdfast.users.create({ externalUserId: 'statements-ada' });
await holdfast.balances.credit(ada.id, { amount: '100.00', description: 'Welcome' });
await holdfast.balances.debit(ada.id, { amount: '12.50', description: 'Postage' });

let sum = '0.00';
for await (const { amount, balanceAfter } of holdfast.users.statementLines(ada.id)) {
  sum = addAmounts(sum, amount);
  console.log(`${amount}, then ${balanceAfter}`);
}
console.log(`together ${sum}`);

const csv = await holdfast.users.statementCsv(ada.id);
console.log(`${csv.trim().split('\n').length - 1} lines of CSV, with the balances at the beginning and at the end`);

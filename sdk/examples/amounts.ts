// Amounts are decimal strings. These functions compute with them exactly; numbers would lose cents.

import {
  addAmounts,
  amount,
  compareAmounts,
  formatAmount,
  fromCents,
  isAmount,
  roundAmount,
  toCents,
} from '@holdfast/sdk';

const basket = ['19.90', '5', '0.10'];
const total = addAmounts(...basket);
console.log(`${total}, ${formatAmount(total, { currency: 'USD', locale: 'en-US' })}, ${toCents(total)} cents`);
console.log(`${fromCents(1999n)}, ${roundAmount('1.6665', 'half-up')}, ${compareAmounts('9.00', '10.00')}`);

// What people type is checked before it is sent.
console.log(`${isAmount('12.50')} ${isAmount('1,50')}`);
try {
  amount('twenty');
} catch (error) {
  console.log((error as Error).message);
}

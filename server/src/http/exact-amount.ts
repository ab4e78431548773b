// Amounts that must add up to the last place: nothing is cut off but zeros behind the cents.

import { type Amount, formatExact } from '../books/money.ts';

export const presentExact = (amount: Amount): string => formatExact(amount).replace(/(\.\d\d\d*?)0+$/, '$1');

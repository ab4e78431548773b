// Sums of amounts.

import { type Amount, plus, ZERO } from './money.ts';

export const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce(plus, ZERO);

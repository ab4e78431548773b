// A balance as the wire shows it: two places, cut off, and a total that is the sum of the two shown.

import type { Balance } from '../../books/accounts.ts';
import { formatAmount, plus, wholeCents } from '../../books/money.ts';

export const presentBalance = ({ userId, currency, available, reserved, updatedAt }: Balance) => ({
  userId,
  available: formatAmount(available),
  reserved: formatAmount(reserved),
  total: formatAmount(plus(wholeCents(available), wholeCents(reserved))),
  currency,
  updatedAt,
});

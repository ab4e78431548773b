// A user in replies.

import type { Balance } from '../../books/accounts.ts';
import { presentBalance } from '../balances/present.ts';
import type { User } from './user.ts';

export const presentUser = ({ user, balance }: { user: User; balance: Balance }) => ({
  ...user,
  balance: presentBalance(balance),
});

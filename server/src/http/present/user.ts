// A user as the wire shows one.

import type { Balance } from '../../domain/balance.ts';
import type { User } from '../../domain/user.ts';
import { presentBalance } from './balance.ts';

export const presentUser = ({ user, balance }: { user: User; balance: Balance }) => ({
  ...user,
  balance: presentBalance(balance),
});

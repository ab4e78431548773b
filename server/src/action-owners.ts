// The modules whose rows ledger transactions are for, in one list. Nothing else belongs here.

import type { ActionOwners } from './ledger/transactions/action-owners.ts';
import { escrowCallOwner } from './modules/escrows/call-rows.ts';
import { withdrawalPaymentOwner } from './modules/withdrawals/ledger-payments.ts';

export const ACTION_OWNERS: ActionOwners = { escrow: escrowCallOwner, withdrawal: withdrawalPaymentOwner };

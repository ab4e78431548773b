// The columns of exported users and of what belongs to one user: reservations, wallets and payments on the ledger.

import type { Reservation, User, Wallet, WalletTransaction } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const USER_EXPORT: Exported<User> = {
  file: 'users',
  columns: [
    { name: 'User', value: ({ id }) => id },
    { name: 'External ID', value: ({ externalUserId }) => externalUserId },
    { name: 'Name', value: ({ name }) => name },
    { name: 'E-mail', value: ({ email }) => email },
    { name: 'Type', value: ({ type }) => type },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Available', value: ({ balance }) => balance.available },
    { name: 'Reserved', value: ({ balance }) => balance.reserved },
    { name: 'Currency', value: ({ balance }) => balance.currency },
    { name: 'Ledger address', value: ({ ledgerAddress }) => ledgerAddress },
    { name: 'Created', time: ({ createdAt }) => createdAt },
    { name: 'Updated', time: ({ updatedAt }) => updatedAt },
  ],
};

export const RESERVATION_EXPORT: Exported<Reservation> = {
  file: 'reservations',
  columns: [
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'Active', value: ({ active }) => active },
    { name: 'Reserved in total', value: ({ amount }) => amount },
    { name: 'Remaining', value: ({ remaining }) => remaining },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Created', time: ({ createdAt }) => createdAt },
    { name: 'Updated', time: ({ updatedAt }) => updatedAt },
  ],
};

export const WALLET_EXPORT: Exported<Wallet> = {
  file: 'wallets',
  columns: [
    { name: 'Wallet', value: ({ id }) => id },
    { name: 'Address', value: ({ publicKey }) => publicKey },
    { name: 'Type', value: ({ type }) => type },
    { name: 'Active', value: ({ isActive }) => isActive },
    { name: 'Primary', value: ({ isPrimary }) => isPrimary },
    { name: 'Proved', time: ({ provedAt }) => provedAt },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

export const TRANSACTION_EXPORT: Exported<WalletTransaction> = {
  file: 'ledger-payments',
  columns: [
    { name: 'Payment', value: ({ id }) => id },
    { name: 'Type', value: ({ type }) => type },
    { name: 'From', value: ({ from }) => from },
    { name: 'To', value: ({ to }) => to },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Asset', value: ({ asset }) => asset.code },
    { name: 'Issuer', value: ({ asset }) => asset.issuer },
    { name: 'Transaction', value: ({ hash }) => hash },
    { name: 'Successful', value: ({ successful }) => successful },
    { name: 'Time', time: ({ createdAt }) => createdAt },
  ],
};

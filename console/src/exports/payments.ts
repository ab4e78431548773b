// The columns of exported top-ups, withdrawals, breaks and marketplaces.

import type { Break, Marketplace, TopUp, Withdrawal } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const TOPUP_EXPORT: Exported<TopUp> = {
  file: 'topups',
  columns: [
    { name: 'Top-up', value: ({ id }) => id },
    { name: 'User', value: ({ userId }) => userId },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Description', value: ({ description }) => description },
    { name: 'Provider’s ID', value: ({ providerPayinId }) => providerPayinId },
    { name: 'Error code', value: ({ errorCode }) => errorCode },
    { name: 'Failure', value: ({ failureReason }) => failureReason },
    { name: 'Created', time: ({ createdAt }) => createdAt },
    { name: 'Updated', time: ({ updatedAt }) => updatedAt },
  ],
};

export const WITHDRAWAL_EXPORT: Exported<Withdrawal> = {
  file: 'withdrawals',
  columns: [
    { name: 'Withdrawal', value: ({ id }) => id },
    { name: 'User', value: ({ userId }) => userId },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Destination', value: ({ destination }) => destination.type },
    { name: 'Destination address', value: ({ destination }) => destination.address },
    { name: 'Destination e-mail', value: ({ destination }) => destination.email },
    { name: 'Provider’s ID', value: ({ providerPayoutId }) => providerPayoutId },
    { name: 'Transaction', value: ({ transactionHash }) => transactionHash },
    { name: 'Failure', value: ({ failureReason }) => failureReason },
    { name: 'Created', time: ({ createdAt }) => createdAt },
    { name: 'Updated', time: ({ updatedAt }) => updatedAt },
  ],
};

export const BREAK_EXPORT: Exported<Break> = {
  file: 'breaks',
  columns: [
    { name: 'Kind', value: ({ kind }) => kind },
    { name: 'Subject', value: ({ subject }) => subject },
    { name: 'Books', value: ({ expected }) => expected },
    { name: 'Actual', value: ({ actual }) => actual },
    { name: 'Difference', value: ({ difference }) => difference },
    { name: 'Open', value: ({ isOpen }) => isOpen },
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'User', value: ({ userId }) => userId },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'First seen', time: ({ firstSeenAt }) => firstSeenAt },
    { name: 'Last seen', time: ({ lastSeenAt }) => lastSeenAt },
    { name: 'Resolved', time: ({ resolvedAt }) => resolvedAt },
  ],
};

export const MARKETPLACE_EXPORT: Exported<Marketplace> = {
  file: 'marketplaces',
  columns: [
    { name: 'Marketplace', value: ({ id }) => id },
    { name: 'Float', value: ({ float }) => float.held },
    { name: 'Promised', value: ({ float }) => float.pendingPayouts },
    { name: 'Free', value: ({ float }) => float.available },
    { name: 'Currency', value: ({ float }) => float.currency },
    { name: 'Payment account', value: ({ paymentAccount }) => paymentAccount.account },
    { name: 'Users', value: ({ users }) => users },
    { name: 'Orders', value: ({ orders }) => orders },
    { name: 'Keys', value: ({ keys }) => keys },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

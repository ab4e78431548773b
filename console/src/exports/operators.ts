// The columns of exported operators, sessions and approvals.

import type { Approval, Operator, OperatorSession } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const OPERATOR_EXPORT: Exported<Operator> = {
  file: 'operators',
  columns: [
    { name: 'Operator', value: ({ id }) => id },
    { name: 'Name', value: ({ name }) => name },
    { name: 'E-mail', value: ({ email }) => email },
    { name: 'Role', value: ({ role }) => role },
    { name: 'Marketplace', value: ({ marketplaceId, everywhere }) => (everywhere ? 'all' : marketplaceId) },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Password', value: ({ hasPassword }) => (hasPassword ? 'yes' : 'no') },
    { name: 'App', value: ({ hasTotp }) => (hasTotp ? 'yes' : 'no') },
    { name: 'Passkeys', value: ({ passkeys }) => passkeys },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

export const SESSION_EXPORT: Exported<OperatorSession> = {
  file: 'sessions',
  columns: [
    { name: 'Session', value: ({ id }) => id },
    { name: 'Operator', value: ({ operatorId }) => operatorId },
    { name: 'Method', value: ({ method }) => method },
    { name: 'Address', value: ({ address }) => address },
    { name: 'Browser', value: ({ userAgent }) => userAgent },
    { name: 'Signed in', time: ({ createdAt }) => createdAt },
    { name: 'Last used', time: ({ lastUsedAt }) => lastUsedAt },
    { name: 'Ends', time: ({ expiresAt }) => expiresAt },
  ],
};

export const APPROVAL_EXPORT: Exported<Approval> = {
  file: 'approvals',
  columns: [
    { name: 'Approval', value: ({ id }) => id },
    { name: 'Action', value: ({ action }) => action },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'User', value: ({ userId }) => userId },
    { name: 'Requested by', value: ({ requestedBy }) => requestedBy.name },
    { name: 'Decided by', value: ({ decidedBy }) => decidedBy?.name ?? null },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'Error', value: ({ error }) => error?.code ?? null },
    { name: 'Requested', time: ({ createdAt }) => createdAt },
    { name: 'Expires', time: ({ expiresAt }) => expiresAt },
    { name: 'Decided', time: ({ decidedAt }) => decidedAt },
  ],
};

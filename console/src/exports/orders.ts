// The columns of exported orders, disputes, operations and policies.

import type { Dispute, OperationRecord, Order, Policy } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const ORDER_EXPORT: Exported<Order> = {
  file: 'orders',
  columns: [
    { name: 'Order', value: ({ id }) => id },
    { name: 'Reference', value: ({ clientOrderRef }) => clientOrderRef },
    { name: 'Title', value: ({ title }) => title },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Final status', value: ({ finalStatus }) => finalStatus },
    { name: 'Buyer', value: ({ buyerId }) => buyerId },
    { name: 'Seller', value: ({ sellerId }) => sellerId },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Platform fee', value: ({ platformFeeAmount }) => platformFeeAmount },
    { name: 'Seller gets', value: ({ sellerNet }) => sellerNet },
    { name: 'Policy', value: ({ policy }) => policy?.name },
    { name: 'Created', time: ({ createdAt }) => createdAt },
    { name: 'Updated', time: ({ updatedAt }) => updatedAt },
  ],
};

export const DISPUTE_EXPORT: Exported<Dispute> = {
  file: 'disputes',
  columns: [
    { name: 'Dispute', value: ({ id }) => id },
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'Milestone', value: ({ milestoneRef }) => milestoneRef },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'Opened by', value: ({ openedBy }) => openedBy },
    { name: 'Evidence', value: ({ evidence }) => evidence?.join('\n') },
    { name: 'Assigned to', value: ({ assignedTo }) => assignedTo },
    { name: 'Decision', value: ({ resolutionDecision }) => resolutionDecision },
    { name: 'Note of the decision', value: ({ decisionNote }) => decisionNote },
    { name: 'To the seller', value: ({ sellerAmount }) => sellerAmount },
    { name: 'To the buyer', value: ({ buyerAmount }) => buyerAmount },
    { name: 'Opened', time: ({ createdAt }) => createdAt },
    { name: 'Resolved', time: ({ resolvedAt }) => resolvedAt },
  ],
};

export const OPERATION_EXPORT: Exported<OperationRecord> = {
  file: 'operations',
  columns: [
    { name: 'Operation', value: ({ id }) => id },
    { name: 'Kind', value: ({ kind }) => kind },
    { name: 'Status', value: ({ state }) => state },
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'Retries', value: ({ attempts }) => attempts },
    { name: 'Last error', value: ({ lastProblem }) => lastProblem },
    { name: 'Started', time: ({ startedAt }) => startedAt },
    { name: 'Next retry', time: ({ nextAttemptAt }) => nextAttemptAt },
    { name: 'Ended', time: ({ endedAt }) => endedAt },
  ],
};

export const POLICY_EXPORT: Exported<Policy> = {
  file: 'policies',
  columns: [
    { name: 'Policy', value: ({ id }) => id },
    { name: 'Name', value: ({ name }) => name },
    { name: 'Version', value: ({ version }) => version },
    { name: 'Rules', value: ({ rules }) => JSON.stringify(rules) },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

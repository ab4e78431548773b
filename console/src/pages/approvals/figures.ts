// What the server says that an approval would do now.

import type { Approval } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import type { Asking } from '../../parts/money/preview.ts';
import { useClient } from '../../session.tsx';

/** The figures of an order name the buyer and the seller, so the order is read first. */
export const useFiguresOf = ({ id, orderId }: Pick<Approval, 'id' | 'orderId'>): Asking => {
  const client = useClient();
  const order = useQuery({
    queryKey: ['orders', orderId],
    queryFn: () => client.orders.get(orderId!),
    enabled: orderId !== null,
  });
  const names = order.data ? { [order.data.buyerId]: 'Buyer', [order.data.sellerId]: 'Seller' } : undefined;
  const isReady = orderId === null || !order.isPending;
  return {
    key: ['approvals', id, 'approve'],
    ask: isReady ? () => client.approvals.approve(id, { dryRun: true }) : null,
    ...(names ? { names } : {}),
  };
};

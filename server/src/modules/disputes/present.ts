// A dispute together with its order, as the wire shows it.

import type { DisputeView } from '../orders/order-view.ts';
import { presentDispute, presentOrder } from '../orders/present.ts';

export const presentDisputeWithOrder = ({ dispute, order }: DisputeView) => ({
  ...presentDispute(dispute),
  order: presentOrder(order),
});

// The state of a milestone, and what its seller, its buyer and the platform have received. A milestone that paid both parties is RELEASED for
// the server; people read that it was split.

import type { Milestone, Order } from '@holdfast/sdk';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, subtract, ZERO } from '../../parts/money/amounts.ts';
import { SplitStatus, Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';

type Props = { readonly order: Order; readonly milestone: Milestone };

const isPaid = (amount: string | undefined): amount is string => amount !== undefined && amountOf(amount) > ZERO;

export const MilestoneState = ({ order, milestone }: Props) => {
  const { status, completedAt, releasedAmount, refundedAmount, fee } = milestone;
  if (status === 'OPEN') {
    return <Status value="OPEN" tone="calm" words={order.status === 'CLOSED' ? 'Not completed' : 'Open'} />;
  }
  const isSplit = isPaid(releasedAmount) && isPaid(refundedAmount);
  return (
    <span className="row">
      {isSplit ? <SplitStatus value={status} /> : <Status value={status} />}
      {status === 'COMPLETED' ? <Time value={completedAt} /> : null}
      {isPaid(releasedAmount) ? (
        <span className="soft">
          <Amount value={subtract(amountOf(releasedAmount), amountOf(fee))} currency={order.currency} /> to the seller,{' '}
          <Amount value={amountOf(fee)} /> fee
        </span>
      ) : null}
      {isPaid(refundedAmount) ? (
        <span className="soft">
          <Amount value={refundedAmount} currency={order.currency} /> to the buyer
        </span>
      ) : null}
    </span>
  );
};

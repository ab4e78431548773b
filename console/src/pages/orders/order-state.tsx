// The status badge of an order. A closed order shows its outcome.

import type { Order } from '@holdfast/sdk';
import { Status } from '../../parts/status.tsx';

const ENDED: Readonly<Record<NonNullable<Order['finalStatus']>, string>> = {
  RELEASED: 'Closed: released',
  REFUNDED: 'Closed: refunded',
  SPLIT: 'Closed: split',
  CANCELED: 'Closed: canceled',
};

type Props = { readonly order: Pick<Order, 'status' | 'finalStatus' | 'operation'> };

export const OrderState = ({ order: { status, finalStatus, operation } }: Props) => (
  <span className="row orders-state">
    {finalStatus ? (
      <Status value={status} words={ENDED[finalStatus]} tone={finalStatus === 'RELEASED' ? 'good' : 'calm'} />
    ) : (
      <Status value={status} />
    )}
    {operation && operation.state === 'RUNNING' ? (
      <span className="spinner orders-working" title="Operation in progress" />
    ) : null}
  </span>
);

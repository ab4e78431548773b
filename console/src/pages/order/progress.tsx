// What is being carried out with the outside systems right now: since when, how often it was put off, and why.

import type { Order } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import type { ActionName } from './action-table.ts';

type Kind = NonNullable<Order['operation']>['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  'create-escrow': 'Creating the escrow',
  'fund-escrow': 'Funding the escrow',
  release: 'Releasing to the seller',
  refund: 'Refunding the buyer',
  'resolve-dispute': 'Paying as the dispute was decided',
};

/** Attempts and their problems have no events: they are looked at while something runs. */
export const LOOK_MS = 3_000;

type Props = {
  readonly order: Pick<Order, 'id' | 'operation'>;
  /** What was asked for here, before the server tells of it. */
  readonly pending?: ActionName | null;
};

export const Progress = ({ order, pending = null }: Props) => {
  const { operation } = order;
  if (!operation) {
    return pending ? (
      <p className="row" role="status">
        <span className="spinner" aria-hidden="true" /> Being carried out …
      </p>
    ) : null;
  }
  return (
    <div className="order-progress" role="status">
      <Notice title={`${KINDS[operation.kind]} is being carried out`} tone={operation.attempts > 0 ? 'warn' : 'good'}>
        <p className="order-progress-line">
          <span className="spinner" aria-hidden="true" />
          <span>
            Asked for <Time value={operation.startedAt} />
            {operation.attempts > 0
              ? `, put off ${times(operation.attempts)} because an outside system did not answer`
              : ''}
          </span>
        </p>
        <LastProblem orderId={order.id} attempts={operation.attempts} />
        <p className="soft">It goes on by itself, also when you leave this page.</p>
      </Notice>
    </div>
  );
};

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

const LastProblem = ({ orderId, attempts }: { readonly orderId: string; readonly attempts: number }) => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['operations', 'of-order', orderId, attempts],
    queryFn: () => client.operations.list({ orderId, state: 'RUNNING', limit: 1 }).page(),
    enabled: attempts > 0,
  });
  const running = data?.items[0];
  if (!running?.lastProblem) return null;
  return (
    <p>
      {running.lastProblem} Next attempt <Time value={running.nextAttemptAt} />
    </p>
  );
};

// The running operation of an order: its start, its retries, and the last error.

import type { Order } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import type { ActionName } from './action-table.ts';

type Kind = NonNullable<Order['operation']>['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  'create-escrow': 'Creating escrow',
  'fund-escrow': 'Funding escrow',
  release: 'Releasing to seller',
  refund: 'Refunding buyer',
  'resolve-dispute': 'Resolving dispute',
  'release-milestone': 'Releasing milestone',
  'refund-milestone': 'Refunding milestone',
};

/** Retries emit no events, so a running operation is polled. */
export const POLL_MS = 3_000;

type Props = {
  readonly order: Pick<Order, 'id' | 'operation'>;
  /** The action sent from here, until the server reports its operation. */
  readonly pending?: ActionName | null;
};

export const Progress = ({ order, pending = null }: Props) => {
  const { operation } = order;
  if (!operation) {
    return pending ? (
      <p className="row" role="status">
        <span className="spinner" aria-hidden="true" /> In progress …
      </p>
    ) : null;
  }
  return (
    <div className="order-progress" role="status">
      <Notice title={`${KINDS[operation.kind]} …`} tone={operation.attempts > 0 ? 'warn' : 'good'}>
        <p className="order-progress-line">
          <span className="spinner" aria-hidden="true" />
          <span>
            Started <Time value={operation.startedAt} />
            {operation.attempts > 0 ? `, retried ${times(operation.attempts)} because a provider did not answer` : ''}
          </span>
        </p>
        <LastProblem orderId={order.id} attempts={operation.attempts} />
        <p className="soft">The operation continues if you leave this page.</p>
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

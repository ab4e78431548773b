// The milestones of an order. Completing one moves no money, but the release requires all of them.

import type { Milestone, Order } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';

export const MilestonesPanel = ({ order }: { readonly order: Order }) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [chosen, setChosen] = useState<Milestone | null>(null);
  const act = useAction<Order, Milestone>({
    run: ({ ref }) => client.orders.completeMilestone(order.id, ref),
    done: (after, { title }) => ({ title: `${isolateBidi(title)} completed`, text: nextAfter(after) }),
    failed: 'The milestone was not completed',
    touches: [['orders']],
    quiet: true,
    onDone: () => setChosen(null),
  });
  if (order.milestones.length === 0) return null;
  const done = order.milestones.filter(({ status }) => status === 'COMPLETED').length;
  return (
    <Panel title={`Milestones, ${done} of ${order.milestones.length} completed`} flush>
      <ul className="order-milestones">
        {order.milestones.map((milestone) => (
          <li key={milestone.ref}>
            <span className="order-milestone-name">
              <span>{milestone.title}</span> <span className="soft mono">{milestone.ref}</span>
            </span>
            <Amount value={milestone.amount} currency={order.currency} />
            {milestone.status === 'COMPLETED' ? (
              <span className="row">
                <Status value="COMPLETED" /> <Time value={milestone.completedAt} />
              </span>
            ) : order.status !== 'IN_PROGRESS' ? (
              <Status value="OPEN" tone="calm" words={order.status === 'CLOSED' ? 'Not completed' : 'Open'} />
            ) : (
              <Button
                reason={writeDenial}
                aria-label={`Complete ${isolateBidi(milestone.title)}`}
                onClick={() => {
                  act.reset();
                  setChosen(milestone);
                }}
              >
                Complete
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen ? (
        <Confirm
          isOpen
          title={`Complete ${isolateBidi(chosen.title)}`}
          confirm="Mark as completed"
          isBusy={act.isPending}
          error={act.error}
          onClose={() => setChosen(null)}
          onConfirm={() => act.mutate(chosen)}
        >
          <p>
            Marks the milestone of {formatAmount(amountOf(chosen.amount))} {order.currency} as completed: {done + 1} of{' '}
            {order.milestones.length}. No money moves. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </Panel>
  );
};

const nextAfter = ({ milestones }: Order): string => {
  const open = milestones.filter(({ status }) => status === 'OPEN').length;
  return open === 0
    ? 'All milestones are completed. The order can be released.'
    : `${open} more before the order can be released.`;
};

// The milestones of an order. Completing one moves no money. An order with two or more of them pays each one on its own, or all of
// them with its release.

import type { Milestone, Order } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { MilestoneActions } from './milestone-actions.tsx';
import { MilestoneState } from './milestone-state.tsx';

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
  const done = order.milestones.filter(({ status }) => status !== 'OPEN').length;
  return (
    <Panel title={`Milestones, ${done} of ${order.milestones.length} completed`} flush>
      <ul className="order-milestones">
        {order.milestones.map((milestone) => (
          <li key={milestone.ref}>
            <span className="order-milestone-name">
              <span>{milestone.title}</span> <span className="soft mono">{milestone.ref}</span>
            </span>
            <Amount value={milestone.amount} currency={order.currency} />
            <MilestoneState order={order} milestone={milestone} />
            <span className="row">
              {milestone.status === 'OPEN' && order.status === 'IN_PROGRESS' ? (
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
              ) : null}
              <MilestoneActions order={order} milestone={milestone} />
            </span>
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
          preview={{
            key: ['orders', order.id, chosen.ref, 'complete', order.updatedAt],
            statusOf: (reply) => (reply as Order).milestones.find(({ ref }) => ref === chosen.ref)?.status ?? null,
            ask: () => client.orders.completeMilestone(order.id, chosen.ref, { dryRun: true }),
          }}
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

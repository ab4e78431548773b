// The state diagram of one order: its status, and the states before it.

import type { Order, Timeline } from '@holdfast/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { StateDiagram } from '../../parts/charts/state-diagram.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { movesOf, statesOf, statusHistory, stepsFrom } from './order-states.ts';

type Props = { readonly order: Order; readonly timeline: UseQueryResult<Timeline> };

export const StatusPanel = ({ order, timeline }: Props) => (
  <Panel title="Status">
    <Loaded query={timeline} name="Status history">
      {({ entries }) => <OrderDiagram order={order} entries={entries} />}
    </Loaded>
  </Panel>
);

const OrderDiagram = ({ order, entries }: { readonly order: Order; readonly entries: Timeline['entries'] }) => {
  const frame = useRef<HTMLDivElement>(null);
  const history = statusHistory(stepsFrom(entries), order);
  // A narrow screen shows a part of the diagram. It scrolls to the current state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls only when the status changes
  useEffect(() => {
    const room = frame.current?.querySelector('figure');
    const lit = room?.querySelector('[data-lit="now"]');
    if (!room || !lit) return;
    const box = lit.getBoundingClientRect();
    const seen = room.getBoundingClientRect();
    room.scrollLeft += box.left + box.width / 2 - (seen.left + seen.width / 2);
  }, [order.status]);
  return (
    <div ref={frame} className="order-states">
      <StateDiagram
        label="Order status"
        states={statesOf(order)}
        moves={movesOf(history)}
        now={order.status}
        past={history.slice(0, -1)}
      />
    </div>
  );
};

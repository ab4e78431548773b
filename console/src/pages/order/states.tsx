// The state diagram of one order: its status, and the states before it.

import type { Order, Timeline } from '@holdfast/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { StateDiagram } from '../../parts/state-diagram.tsx';
import { movesOf, STATES, statesGone, wayOf } from './way.ts';

type Props = { readonly order: Order; readonly timeline: UseQueryResult<Timeline> };

export const StatesPanel = ({ order, timeline }: Props) => (
  <Panel title="Status">
    {' '}
    <Loaded query={timeline} name="Status history">
      {({ entries }) => <Way order={order} entries={entries} />}
    </Loaded>
  </Panel>
);

const Way = ({ order, entries }: { readonly order: Order; readonly entries: Timeline['entries'] }) => {
  const frame = useRef<HTMLDivElement>(null);
  const way = statesGone(wayOf(entries), order);
  // A narrow screen shows a part of the diagram. It scrolls to the current state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls only when the status changes
  useEffect(() => {
    const room = frame.current?.querySelector('figure');
    const lit = room?.querySelector('[data-lit="now"]');
    if (!room || !lit) return;
    const [box, seen] = [lit.getBoundingClientRect(), room.getBoundingClientRect()];
    room.scrollLeft += box.left + box.width / 2 - (seen.left + seen.width / 2);
  }, [order.status]);
  return (
    <div ref={frame} className="order-states">
      <StateDiagram
        label="Order status"
        states={STATES}
        moves={movesOf(way)}
        now={order.status}
        past={way.slice(0, -1)}
      />
    </div>
  );
};

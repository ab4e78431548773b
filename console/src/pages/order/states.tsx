// The state diagram of one order: where it is, and how it came there.

import type { Order, Timeline } from '@holdfast/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { StateDiagram } from '../../parts/state-diagram.tsx';
import { movesOf, STATES, statesGone, wayOf } from './way.ts';

type Props = { readonly order: Order; readonly timeline: UseQueryResult<Timeline> };

export const StatesPanel = ({ order, timeline }: Props) => (
  <Panel title="States">
    <Loaded query={timeline} name="The way so far">
      {({ entries }) => <Way order={order} entries={entries} />}
    </Loaded>
  </Panel>
);

const Way = ({ order, entries }: { readonly order: Order; readonly entries: Timeline['entries'] }) => {
  const frame = useRef<HTMLElement>(null);
  const way = statesGone(wayOf(entries), order);
  // On a narrow screen only a part is seen: it is the part where the order is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when the state changes, and only then
  useEffect(() => {
    const lit = frame.current?.querySelector(`[data-lit="now"]`);
    if (!frame.current || !lit) return;
    const [box, room] = [lit.getBoundingClientRect(), frame.current.getBoundingClientRect()];
    frame.current.scrollLeft += box.left + box.width / 2 - (room.left + room.width / 2);
  }, [order.status]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse must be able to scroll it too
    <section ref={frame} className="order-states" tabIndex={0} aria-label="State diagram, can be scrolled sideways">
      <StateDiagram label="State of the order" states={STATES} moves={movesOf(way)} now={order.status} past={way} />
    </section>
  );
};

// Recent events, newest first: the last ones before the page was opened, and those since.

import type { HoldfastEvent } from '@holdfast/sdk';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty, Skeleton } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useRecentEvents } from './use-recent-events.ts';

export const RecentEvents = () => {
  const recent = useRecentEvents();
  return (
    <Panel title="Recent events" flush>
      {recent === null ? (
        <div className="panel-body">
          <Skeleton />
        </div>
      ) : recent.length === 0 ? (
        <Empty title="No events yet">Events of this marketplace appear here as they are committed.</Empty>
      ) : (
        <ol className="ticker" aria-live="off">
          {recent.map((event) => (
            <RecentEventLine key={event.eventId} event={event} />
          ))}
        </ol>
      )}
    </Panel>
  );
};

const RecentEventLine = ({ event }: { readonly event: HoldfastEvent }) => {
  const { amount, currency } = event.payload as { amount?: string; currency?: string };
  return (
    <li className="ticker-line">
      <span className="ticker-name">{event.eventType}</span>
      <Id value={event.aggregateId} copy={false} />
      <span className="ticker-amount">
        {amount ? <Amount value={amount} {...(currency ? { currency } : {})} /> : null}
      </span>
      <Time value={event.occurredAt} />
    </li>
  );
};

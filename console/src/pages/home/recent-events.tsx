// Recent events: those since the page was opened, newest first.

import type { HoldfastEvent } from '@holdfast/sdk';
import { useLive } from '../../live.tsx';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';

const SHOWN_MAX = 12;

export const RecentEvents = () => {
  const { recent } = useLive();
  return (
    <Panel title="Recent events" flush>
      {recent.length === 0 ? (
        <Empty title="No events yet">Events of this marketplace appear here as they are committed.</Empty>
      ) : (
        <ol className="ticker" aria-live="off">
          {recent.slice(0, SHOWN_MAX).map((event) => (
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

// The details of one event: resource, payload, position and request, with links to related pages.

import type { HoldfastEvent } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Aside } from '../../parts/aside.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Id } from '../../parts/id.tsx';
import { Facts } from '../../parts/panel.tsx';
import { leavesOf, ShownValue } from '../../parts/shown-value.tsx';
import { Time } from '../../parts/time.tsx';
import { EventDeliveries } from '../webhooks/event-deliveries.tsx';
import { asJson, justBefore, linkTo } from './event-text.ts';

type Props = {
  readonly event: HoldfastEvent;
  readonly onClose: () => void;
};

export const EventDetails = ({ event, onClose }: Props) => {
  const { eventId, eventType, aggregateId, aggregateType, occurredAt, metadata } = event;
  return (
    <Aside
      title={eventType}
      of={eventId}
      onClose={onClose}
      actions={
        <>
          <CopyButton what="Event" text={() => asJson(event)}>
            Copy as JSON
          </CopyButton>
          <CopyButton what="Link" text={() => linkTo(event)}>
            Copy link
          </CopyButton>
        </>
      }
    >
      <Facts
        rows={[
          [aggregateType, <Id key="about" value={aggregateId} />],
          [
            'Time',
            <span key="when">
              <Time value={occurredAt} exact /> <span className="soft">(</span>
              <Time value={occurredAt} />
              <span className="soft">)</span>
            </span>,
          ],
          ['Position', metadata.position],
          ['Request ID', <Id key="request" value={metadata.correlationId} link={false} />],
          ['Event ID', <Id key="event" value={eventId} link={false} />],
        ]}
      />
      <div className="stack-tight">
        <h3>Payload</h3>
        <Facts rows={leavesOf(event.payload).map(([name, value]) => [name, <ShownValue key={name} value={value} />])} />
      </div>
      <EventDeliveries eventId={eventId} />
      <p className="row">
        <Link to={`/events?since=${encodeURIComponent(justBefore(occurredAt))}&event=${eventId}`}>
          Replay from here
        </Link>
        <Link to={`/audit?resourceId=${encodeURIComponent(aggregateId)}`}>Audit entries</Link>
      </p>
      <details className="events-json">
        <summary>Raw JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so it needs the keyboard focus */}
        <pre tabIndex={0}>{asJson(event)}</pre>
      </details>
    </Aside>
  );
};

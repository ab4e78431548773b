// One event whole: what it is about, what it says, where it came from, and the ways on from it.

import type { HoldfastEvent } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Aside } from '../../parts/aside.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Id } from '../../parts/id.tsx';
import { Facts } from '../../parts/panel.tsx';
import { leavesOf, ShownValue } from '../../parts/shown-value.tsx';
import { Time } from '../../parts/time.tsx';
import { asJson, justBefore, linkTo } from './event-words.ts';

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
          <CopyButton what="The event" text={() => asJson(event)}>
            Copy as JSON
          </CopyButton>
          <CopyButton what="The link" text={() => linkTo(event)}>
            Copy link
          </CopyButton>
        </>
      }
    >
      <Facts
        rows={[
          [aggregateType, <Id key="about" value={aggregateId} />],
          [
            'When',
            <span key="when">
              <Time value={occurredAt} exact /> <span className="soft">(</span>
              <Time value={occurredAt} />
              <span className="soft">)</span>
            </span>,
          ],
          ['Position', metadata.position],
          ['Request', <Id key="request" value={metadata.correlationId} link={false} />],
          ['Event', <Id key="event" value={eventId} link={false} />],
        ]}
      />
      <div className="stack-tight">
        <h3>What it says</h3>
        <Facts rows={leavesOf(event.payload).map(([name, value]) => [name, <ShownValue key={name} value={value} />])} />
      </div>
      <p className="row">
        <Link to={`/events?since=${encodeURIComponent(justBefore(occurredAt))}&event=${eventId}`}>
          Replay from here
        </Link>
        <Link to={`/audit?resourceId=${encodeURIComponent(aggregateId)}`}>Audit entries about it</Link>
      </p>
      <details className="events-json">
        <summary>As it came, in JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre tabIndex={0}>{asJson(event)}</pre>
      </details>
    </Aside>
  );
};

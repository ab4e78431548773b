// The events, newest first. A line is rendered once and laid out only while it is visible, so a thousand lines cost
// little. The arrow keys move between lines, and the whole list is one tab stop.

import type { HoldfastEvent } from '@holdfast/sdk';
import { type KeyboardEvent, memo, type RefObject } from 'react';
import { Button } from '../../parts/button.tsx';
import { shortId } from '../../parts/id.tsx';
import type { Filters } from '../../parts/lists/filters.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { exactTime } from '../../parts/time.tsx';
import type { EventFilterNames } from '../events.tsx';
import { clockTime, summaryOf } from './event-text.ts';
import type { UsedTail } from './use-tail.ts';

type Props = {
  readonly ref: RefObject<HTMLOListElement | null>;
  readonly tail: UsedTail;
  readonly found: readonly HoldfastEvent[];
  readonly chosenId: string | undefined;
  readonly onChoose: (eventId: string) => void;
  readonly filters: Filters<EventFilterNames>;
};

export const EventList = ({ ref, tail, found, chosenId, onChoose, filters }: Props) => {
  if (found.length === 0) return <Nothing tail={tail} filters={filters} />;
  const stop = found.some((event) => event.eventId === chosenId) ? chosenId : found[0]?.eventId;
  return (
    <ol ref={ref} className="events-list" aria-label="Events, newest first" onKeyDown={walk}>
      {found.map((event) => (
        <EventLine
          key={event.eventId}
          event={event}
          isChosen={event.eventId === chosenId}
          isStop={event.eventId === stop}
          onChoose={onChoose}
        />
      ))}
    </ol>
  );
};

const walk = (event: KeyboardEvent<HTMLOListElement>): void => {
  const line = (event.target as Element).closest('li');
  const targets: Record<string, Element | null | undefined> = {
    ArrowDown: line?.nextElementSibling,
    ArrowUp: line?.previousElementSibling,
    Home: event.currentTarget.firstElementChild,
    End: event.currentTarget.lastElementChild,
  };
  const target = targets[event.key]?.querySelector('button');
  if (!target) return;
  event.preventDefault();
  target.focus();
};

type LineProps = {
  readonly event: HoldfastEvent;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (eventId: string) => void;
};

const EventLine = memo(({ event, isChosen, isStop, onChoose }: LineProps) => {
  const { amount, currency } = event.payload as { amount?: string; currency?: string };
  const { day, time } = clockTime(event.occurredAt);
  return (
    <li className="events-item">
      <button
        type="button"
        className="events-line"
        tabIndex={isStop ? 0 : -1}
        aria-current={isChosen || undefined}
        onClick={() => onChoose(event.eventId)}
      >
        <time className="time events-time" dateTime={event.occurredAt} title={exactTime(event.occurredAt)}>
          {day ? <span>{day} </span> : null}
          {time}
        </time>
        <span className="events-name" data-resource={event.aggregateType}>
          {event.eventType}
          <span className="events-gist">{summaryOf(event)}</span>
        </span>
        <span className="events-about">{shortId(event.aggregateId)}</span>
        <span className="events-amount">
          {amount ? <Amount value={amount} {...(currency ? { currency } : {})} /> : null}
        </span>
      </button>
    </li>
  );
});

const MINUTES_15_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

const Nothing = ({ tail, filters }: Pick<Props, 'tail' | 'filters'>) => {
  if (tail.line.state === 'refused') return null;
  const replay = (ms: number): void => filters.set('since', new Date(Date.now() - ms).toISOString());
  if (tail.shown.length > 0) {
    return (
      <Empty title="No matching events" action={<Button onClick={() => filters.set('q', '')}>Show all events</Button>}>
        The text filter searches the events on this page. Replay from an earlier time to search older events.
      </Empty>
    );
  }
  return (
    <Empty
      title={filters.values.since ? 'No events since then' : 'Waiting for the next event'}
      action={
        <div className="row">
          <Button onClick={() => replay(MINUTES_15_MS)}>Replay last 15 minutes</Button>
          <Button onClick={() => replay(DAY_MS)}>Replay last 24 hours</Button>
        </div>
      }
    >
      {filters.isEmpty
        ? 'New events of this marketplace appear here at once.'
        : 'New events that match the filters appear here at once. Clear the filters to see all events.'}
    </Empty>
  );
};

// The live event list: filter, pause, and replay from any time within the retention period.

import '../styles/events.css';
import type { HoldfastEvent } from '@holdfast/sdk';
import { useCallback, useMemo, useRef } from 'react';
import { WithAside } from '../parts/aside.tsx';
import { Button } from '../parts/button.tsx';
import { useFilters } from '../parts/lists/filters.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { EventDetails } from './events/event-details.tsx';
import { EventFilters } from './events/event-filters.tsx';
import { EventList } from './events/event-list.tsx';
import { hasText } from './events/event-text.ts';
import { TailBar } from './events/tail-bar.tsx';
import { useTail } from './events/use-tail.ts';

const NAMES = ['resource', 'types', 'q', 'since'] as const;

export const Component = () => {
  const filters = useFilters(NAMES);
  const choice = useFilters(['event'] as const);
  const { resource, types, q, since } = filters.values;
  const tail = useTail({ resource, types: types?.split(',') ?? [], since });
  const list = useRef<HTMLOListElement>(null);
  const found = useMemo(() => (q ? tail.shown.filter((event) => hasText(event, q)) : tail.shown), [tail.shown, q]);
  const chosenId = choice.values.event;
  const chosen = useChosen(tail.shown, chosenId);

  const choose = useRef(choice.set);
  choose.current = choice.set;
  // A stable callback, so that a row is rendered once.
  const onChoose = useCallback((eventId: string) => choose.current('event', eventId), []);

  const close = (): void => {
    choice.clear();
    const lines = list.current;
    const line = lines?.querySelector<HTMLElement>('[aria-current="true"]') ?? lines?.querySelector('button');
    line?.focus({ preventScroll: true });
  };

  return (
    <>
      <PageHeader title="Events" text="Every event of this marketplace as it is committed, in order, exactly once." />
      <EventFilters filters={filters} />
      {chosenId && !chosen && !since && tail.line.state === 'live' ? <NotHere onClose={choice.clear} /> : null}
      <WithAside aside={chosen ? <EventDetails event={chosen} onClose={close} /> : null}>
        <section className="panel" aria-label="Live events">
          <TailBar tail={tail} found={found} filters={filters} />
          <EventList ref={list} tail={tail} found={found} chosenId={chosenId} onChoose={onChoose} filters={filters} />
        </section>
      </WithAside>
    </>
  );
};

/** The chosen event stays open, also when newer events have pushed it out of the list. */
const useChosen = (shown: readonly HoldfastEvent[], chosenId: string | undefined): HoldfastEvent | null => {
  const last = useRef<HoldfastEvent | null>(null);
  const found = shown.find((event) => event.eventId === chosenId) ?? last.current;
  last.current = found?.eventId === chosenId ? found : null;
  return last.current;
};

const NotHere = ({ onClose }: { readonly onClose: () => void }) => (
  <Notice title="The linked event is not on this page" tone="warn">
    <p>Replay from a time before the event. The details of an event have such a link.</p>
    <Button onClick={onClose}>Dismiss</Button>
  </Notice>
);

export type EventFilterNames = (typeof NAMES)[number];

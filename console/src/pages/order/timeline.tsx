// Everything that happened to the order: what was decided, what was booked, what the ledger saw, what was told and by whom.

import type { Timeline, TimelineEntry } from '@holdfast/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { type Chapter, chaptersOf } from './chapters.ts';
import { EntryLine } from './entry.tsx';

type Kind = TimelineEntry['kind'];

const KINDS: readonly { readonly kind: Kind; readonly name: string }[] = [
  { kind: 'posting', name: 'Money' },
  { kind: 'ledger', name: 'Ledger' },
  { kind: 'operation', name: 'Operations' },
  { kind: 'event', name: 'Events' },
  { kind: 'audit', name: 'Audit' },
];

/** The audit trail repeats most of it in its own words: it is there for who asks. */
const USUAL: readonly Kind[] = ['posting', 'ledger', 'operation', 'event'];

export const TimelinePanel = ({ timeline }: { readonly timeline: UseQueryResult<Timeline> }) => {
  const filters = useFilters(['show', 'open'] as const);
  const shown = filters.values.show?.split(',') ?? USUAL;
  const isAllOpen = filters.values.open === 'all';
  const toggle = (kind: Kind): void => {
    const next = KINDS.map((each) => each.kind).filter((each) => shown.includes(each) !== (each === kind));
    filters.set('show', next.join(',') || 'none');
  };
  const entries = timeline.data?.entries ?? [];
  return (
    <Panel
      title="Timeline"
      flush
      actions={
        <Button tone="plain" onClick={() => filters.set('open', isAllOpen ? '' : 'all')}>
          {isAllOpen ? 'Close all' : 'Open all'}
        </Button>
      }
    >
      <fieldset className="timeline-kinds" aria-label="Show in the timeline">
        {KINDS.map(({ kind, name }) => (
          <button
            key={kind}
            type="button"
            className="timeline-kind"
            aria-pressed={shown.includes(kind)}
            onClick={() => toggle(kind)}
          >
            {name} <span className="amount">{entries.filter((entry) => entry.kind === kind).length}</span>
          </button>
        ))}
      </fieldset>
      <Loaded query={timeline} name="The timeline">
        {(whole) => <Chapters key={String(isAllOpen)} timeline={whole} shown={shown} isAllOpen={isAllOpen} />}
      </Loaded>
    </Panel>
  );
};

type ChaptersProps = {
  readonly timeline: Timeline;
  readonly shown: readonly string[];
  readonly isAllOpen: boolean;
};

const Chapters = ({ timeline, shown, isAllOpen }: ChaptersProps) => {
  const chapters = chaptersOf(timeline.entries);
  if (shown.includes('none')) return <Empty title="Every kind is switched off">Choose above what to show.</Empty>;
  return (
    <>
      <ol className="timeline">
        {chapters.map((chapter, place) => (
          <ChapterBlock
            key={chapter.key}
            chapter={chapter}
            shown={shown}
            isLast={place === chapters.length - 1}
            isAllOpen={isAllOpen}
          />
        ))}
      </ol>
      {timeline.truncated ? (
        <div className="panel-body">
          <Notice title="There is more than is shown" tone="warn">
            <p>The oldest 500 entries are shown. The audit page and the events page have the rest.</p>
          </Notice>
        </div>
      ) : null}
    </>
  );
};

type BlockProps = {
  readonly chapter: Chapter;
  readonly shown: readonly string[];
  readonly isLast: boolean;
  readonly isAllOpen: boolean;
};

/** The last one is open until somebody closes it; those before it are a line each. */
const ChapterBlock = ({ chapter, shown, isLast, isAllOpen }: BlockProps) => {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isAllOpen || isLast);
  const entries = chapter.entries.filter(({ kind }) => shown.includes(kind));
  return (
    <li className="timeline-chapter" data-now={isLast || undefined}>
      <button type="button" className="timeline-head" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <span className="timeline-title">{chapter.title}</span>
        {chapter.outcome ? <Status value={chapter.outcome} /> : null}
        <Time value={chapter.at} />
      </button>
      {isOpen ? (
        <ul className="timeline-entries">
          {entries.map((entry, place) => (
            <EntryLine
              key={entry.reference ? `${entry.at} ${entry.reference} ${entry.title}` : `${entry.at} ${place}`}
              entry={entry}
            />
          ))}
          {entries.length === 0 ? <li className="timeline-none">Nothing of the kinds chosen above.</li> : null}
        </ul>
      ) : null}
    </li>
  );
};

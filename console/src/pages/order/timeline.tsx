// The timeline of an order: postings, ledger transactions, operations, events and audit entries.

import type { Timeline, TimelineEntry } from '@holdfast/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { useFilters } from '../../parts/lists/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { EntryLine } from './timeline-entry.tsx';
import { groupEntries, type TimelineGroup } from './timeline-groups.ts';

type Kind = TimelineEntry['kind'];

const KINDS: readonly { readonly kind: Kind; readonly name: string }[] = [
  { kind: 'posting', name: 'Money' },
  { kind: 'ledger', name: 'Ledger' },
  { kind: 'operation', name: 'Operations' },
  { kind: 'event', name: 'Events' },
  { kind: 'note', name: 'Notes' },
  { kind: 'evidence', name: 'Evidence' },
  { kind: 'message', name: 'Messages' },
  { kind: 'audit', name: 'Audit' },
];

/** Audit entries repeat most of the timeline, so they are hidden by default. */
const USUAL: readonly Kind[] = ['posting', 'ledger', 'operation', 'event', 'note', 'evidence', 'message'];

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
          {isAllOpen ? 'Collapse all' : 'Expand all'}
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
      <Loaded query={timeline} name="Timeline">
        {(whole) => <TimelineGroups key={String(isAllOpen)} timeline={whole} shown={shown} isAllOpen={isAllOpen} />}
      </Loaded>
    </Panel>
  );
};

type GroupsProps = {
  readonly timeline: Timeline;
  readonly shown: readonly string[];
  readonly isAllOpen: boolean;
};

const TimelineGroups = ({ timeline, shown, isAllOpen }: GroupsProps) => {
  const groups = groupEntries(timeline.entries);
  if (shown.includes('none')) return <Empty title="All kinds are hidden">Choose a kind above.</Empty>;
  return (
    <>
      <ol className="timeline">
        {groups.map((group, place) => (
          <GroupBlock
            key={group.key}
            group={group}
            shown={shown}
            isLast={place === groups.length - 1}
            isAllOpen={isAllOpen}
          />
        ))}
      </ol>
      {timeline.archives.length > 0 ? (
        <div className="panel-body">
          <Notice title="Older entries are archived">
            <p>They are in the archives {timeline.archives.join(', ')}. `holdfast archive show` prints their rows.</p>
          </Notice>
        </div>
      ) : null}
      {timeline.truncated ? (
        <div className="panel-body">
          <Notice title="The timeline is not complete" tone="warn">
            <p>The oldest 500 entries are shown. See the Audit and Events pages for the rest.</p>
          </Notice>
        </div>
      ) : null}
    </>
  );
};

type BlockProps = {
  readonly group: TimelineGroup;
  readonly shown: readonly string[];
  readonly isLast: boolean;
  readonly isAllOpen: boolean;
};

/** The last group is open by default; earlier groups are collapsed. */
const GroupBlock = ({ group, shown, isLast, isAllOpen }: BlockProps) => {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isAllOpen || isLast);
  const entries = group.entries.filter(({ kind }) => shown.includes(kind));
  return (
    <li className="timeline-group" data-now={isLast || undefined}>
      <button type="button" className="timeline-head" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
        <span className="timeline-title">{group.title}</span>
        {group.outcome ? <Status value={group.outcome} /> : null}
        <Time value={group.at} />
      </button>
      {isOpen ? (
        <ul className="timeline-entries">
          {entries.map((entry, place) => (
            <EntryLine
              key={entry.reference ? `${entry.at} ${entry.reference} ${entry.title}` : `${entry.at} ${place}`}
              entry={entry}
            />
          ))}
          {entries.length === 0 ? <li className="timeline-none">No entries of the chosen kinds.</li> : null}
        </ul>
      ) : null}
    </li>
  );
};

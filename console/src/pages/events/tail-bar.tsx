// The status bar of the event list: the connection, paused or live, and the number of received and waiting events.

import type { HoldfastEvent } from '@holdfast/sdk';
import { EVENT_EXPORT } from '../../exports/service.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import type { Filters } from '../../parts/lists/filters.tsx';
import { type Paged, wholeList } from '../../parts/lists/paged.ts';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventFilterNames } from '../events.tsx';
import { asJson } from './event-text.ts';
import { SHOWN_MAX } from './tail.ts';
import type { Line, UsedTail } from './use-tail.ts';

type Props = {
  readonly tail: UsedTail;
  readonly found: readonly HoldfastEvent[];
  readonly filters: Filters<EventFilterNames>;
};

const LINE: Readonly<Record<Line['state'], { readonly words: string; readonly tone: Tone }>> = {
  connecting: { words: 'Connecting', tone: 'busy' },
  live: { words: 'Streaming', tone: 'good' },
  lost: { words: 'Reconnecting', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
};

export const TailBar = ({ tail, found, filters }: Props) => {
  const { line, pausedBy, waiting } = tail;
  const { words, tone } =
    line.state === 'live' && pausedBy ? { words: 'Paused', tone: 'calm' as const } : LINE[line.state];
  return (
    <>
      <div className="panel-head">
        <div className="row">
          <Status value={line.state} words={words} tone={tone} />
          <span className="soft events-counts">
            <Counts tail={tail} found={found} q={filters.values.q} />
          </span>
        </div>
        <div className="row">
          <CopyButton
            what="List"
            text={() => asJson(found)}
            reason={found.length === 0 ? 'No events to copy yet.' : null}
          >
            Copy as JSON
          </CopyButton>
          <ExportButton label="Events" paged={listOf(found)} exported={EVENT_EXPORT} />
          {pausedBy ? (
            <Button tone="accent" onClick={tail.resume}>
              {waiting > 0 ? `Resume, ${figure(waiting)} waiting` : 'Resume'}
            </Button>
          ) : (
            <Button onClick={tail.pause}>Pause</Button>
          )}
        </div>
      </div>
      <LineNotice tail={tail} />
      {pausedBy === 'replay' ? <FullReplay tail={tail} filters={filters} /> : null}
    </>
  );
};

/** The events on the page as a list of one page. */
const listOf = (found: readonly HoldfastEvent[]): Paged<HoldfastEvent> =>
  wholeList({ data: found, error: null, refetch: () => undefined });

const figure = (count: number): string => count.toLocaleString('en');

const Counts = ({ tail, found, q }: Pick<Props, 'tail' | 'found'> & { readonly q: string | undefined }) => {
  const { shown, received, waiting } = tail;
  const parts = [`${figure(received)} received`];
  if (received - waiting > shown.length) parts.push(`newest ${figure(shown.length)} shown`);
  if (q) parts.push(`${figure(found.length)} contain “${q}”`);
  return parts.join(', ');
};

const LineNotice = ({ tail: { line, again } }: Pick<Props, 'tail'>) => {
  if (line.state === 'refused') {
    return (
      <div className="panel-body">
        <ErrorNotice title="The event stream could not be opened" error={line.error} again={again} />
      </div>
    );
  }
  if (line.state !== 'lost') return null;
  return (
    <div className="panel-body">
      <Notice title="Connection lost, reconnecting" tone="warn">
        <p>
          {line.because ?? 'The server does not answer. It may be restarting.'} The list stays, and no event is lost:
          the stream continues after the last event.
        </p>
      </Notice>
    </div>
  );
};

const FullReplay = ({ tail, filters }: Pick<Props, 'tail' | 'filters'>) => {
  const last = tail.shown[0];
  return (
    <div className="panel-body">
      <Notice title={`Showing the first ${figure(SHOWN_MAX)} events since then`}>
        <p>
          They end at <Time value={last?.occurredAt} exact />. Continue from there, narrow the filters, or resume to see
          the newest events.
        </p>
        {last ? (
          <Button icon="arrow" onClick={() => filters.set('since', last.occurredAt)}>
            Continue from there
          </Button>
        ) : null}
      </Notice>
    </div>
  );
};

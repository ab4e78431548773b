// The deadlines of an order with a policy: when each one is due and what it does. A key with the scope `support` can hold, extend
// or trigger one.

import type { Order } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useSimulatedNow } from '../../parts/simulated-time.tsx';
import { Status } from '../../parts/status.tsx';
import { exactTime } from '../../parts/time.tsx';
import { useDenial } from '../../session.tsx';
import { countdown, overdueBy } from './deadline-clock.ts';
import { DeadlineDialog, type DeadlineVerb } from './deadline-dialog.tsx';
import { type Deadline, deadlineName } from './deadline-words.ts';

export const DeadlinesPanel = ({ order }: { readonly order: Order }) => {
  const { policy, deadlines } = order;
  const [isAll, setAll] = useState(false);
  if (!policy) return null;
  const open = deadlines.filter(isOpen);
  const shown = isAll ? deadlines : open;
  return (
    <Panel
      title="Deadlines"
      actions={
        <Link to={`/policies/${policy.id}`}>
          {isolateBidi(policy.name)}, version {policy.version}
        </Link>
      }
    >
      <div className="stack">
        {shown.length === 0 ? <p className="soft">No deadline is running.</p> : null}
        {shown.length > 0 ? (
          <ul className="order-deadlines">
            {shown.map((deadline) => (
              <DeadlineRow
                key={`${deadline.kind}-${deadline.of}-${deadline.milestoneRef}-${deadline.at}`}
                order={order}
                deadline={deadline}
              />
            ))}
          </ul>
        ) : null}
        {deadlines.length > open.length ? (
          <Button onClick={() => setAll(!isAll)}>{isAll ? 'Show open ones only' : 'Show past ones too'}</Button>
        ) : null}
      </div>
    </Panel>
  );
};

const isOpen = ({ status }: Deadline): boolean => status === 'PENDING' || status === 'HELD';

type RowProps = { readonly order: Order; readonly deadline: Deadline };

const DeadlineRow = ({ order, deadline }: RowProps) => {
  const { at, status, kind } = deadline;
  return (
    <li className="order-deadline">
      <span className="order-deadline-name">{deadlineName(deadline, order)}</span>
      <span className="row">
        <DeadlineState status={status} at={at} />
        <time className="soft" dateTime={at}>
          {exactTime(at)}
        </time>
      </span>
      {isOpen(deadline) && kind !== 'reminder' ? <Actions order={order} deadline={deadline} /> : null}
    </li>
  );
};

const DeadlineState = ({ status, at }: Pick<Deadline, 'status' | 'at'>) => {
  const now = useSimulatedNow();
  const late = overdueBy(at, now);
  if (status === 'PENDING') {
    if (late !== null) return <Status value="OVERDUE" tone="bad" words={`Overdue by ${late}`} />;
    return <span className="order-countdown">{countdown(at, now)}</span>;
  }
  if (status !== 'HELD') return <Status value={status} />;
  return (
    <>
      <Status value="HELD" tone="warn" words="Held" />
      <span className="soft">
        {late === null
          ? 'It does nothing until it is resumed.'
          : `Its time passed ${late} ago. It is carried out when it is resumed.`}
      </span>
    </>
  );
};

const VERBS: readonly { readonly verb: DeadlineVerb; readonly words: string; readonly of: Deadline['status'] }[] = [
  { verb: 'hold', words: 'Hold', of: 'PENDING' },
  { verb: 'resume', words: 'Resume', of: 'HELD' },
];

const Actions = ({ order, deadline }: RowProps) => {
  const supportDenial = useDenial('support');
  const [verb, setVerb] = useState<DeadlineVerb | null>(null);
  const name = deadlineName(deadline, order);
  const button = (which: DeadlineVerb, words: string) => (
    <Button key={which} reason={supportDenial} aria-label={`${words}: ${name}`} onClick={() => setVerb(which)}>
      {words}
    </Button>
  );
  return (
    <span className="row">
      {VERBS.filter(({ of }) => of === deadline.status).map(({ verb: which, words }) => button(which, words))}
      {button('extend', 'Extend')}
      {button('trigger', 'Do it now')}
      {verb ? <DeadlineDialog order={order} deadline={deadline} verb={verb} onClose={() => setVerb(null)} /> : null}
    </span>
  );
};

// The details of one audit entry: actor, action, and the fields that changed.

import type { AuditEntry } from '@holdfast/sdk';
import { Link } from 'react-router';
import { Aside } from '../../parts/aside.tsx';
import { isolateBidi } from '../../parts/bidi.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Id } from '../../parts/id.tsx';
import { Facts, optionalRow } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { actionWords, actorWords, resourceWords } from './audit-names.ts';
import { Difference } from './difference.tsx';

type Props = {
  readonly entry: AuditEntry;
  /** The entries that are loaded. */
  readonly among: readonly AuditEntry[];
  readonly placeOf: (entry: AuditEntry) => string;
  readonly onClose: () => void;
};

export const EntryDetails = ({ entry, among, placeOf, onClose }: Props) => (
  <Aside
    title={actionWords(entry.action)}
    of={entry.id}
    onClose={onClose}
    actions={
      <>
        <CopyButton what="Entry" text={() => JSON.stringify(entry, null, 2)}>
          Copy as JSON
        </CopyButton>
        <CopyButton what="Link" text={() => linkTo(entry)}>
          Copy link
        </CopyButton>
      </>
    }
  >
    <Facts
      rows={[
        [resourceWords(entry.resourceType), <Id key="about" value={entry.resourceId} />],
        ['Actor', <Actor key="by" entry={entry} />],
        ...optionalRow(entry.actorName ? entry.actorId : null, ['Actor ID', <Id key="actor" value={entry.actorId} />]),
        ['Result', <Status key="result" value={entry.result} />],
        [
          'Time',
          <span key="when">
            <Time value={entry.occurredAt} exact /> <span className="soft">(</span>
            <Time value={entry.occurredAt} />
            <span className="soft">)</span>
          </span>,
        ],
        ['Sequence', entry.sequence.toLocaleString('en')],
        ['Request ID', <Id key="request" value={entry.correlationId} link={false} />],
        ['Hash', <Id key="hash" value={entry.hash} link={false} />],
      ]}
    />
    <div className="stack-tight">
      <h3>Changes</h3>
      <Difference before={entry.payloadBefore} after={entry.payloadAfter} />
    </div>
    <SameRequest entry={entry} among={among} placeOf={placeOf} />
    <p>
      <Link to={`/audit?resourceId=${encodeURIComponent(entry.resourceId)}`}>All entries of this resource</Link>
    </p>
  </Aside>
);

/** The API has no filter by request, so this searches the loaded entries. A request writes its entries together. */
const SameRequest = ({ entry, among, placeOf }: Omit<Props, 'onClose'>) => {
  const others = among.filter((each) => each.correlationId === entry.correlationId && each.id !== entry.id);
  if (others.length === 0) return null;
  return (
    <div className="stack-tight">
      <h3>Same request</h3>
      <ul className="stack-tight">
        {others.map((other) => (
          <li key={other.id} className="row">
            <Link to={placeOf(other)} replace preventScrollReset>
              {actionWords(other.action)}
            </Link>
            <Id value={other.resourceId} copy={false} />
          </li>
        ))}
      </ul>
    </div>
  );
};

/** The time range keeps the entry on the first page, also after newer entries. */
const linkTo = ({ id, occurredAt }: AuditEntry): string => {
  const to = new Date(Date.parse(occurredAt) + 1).toISOString();
  const search = new URLSearchParams({ from: occurredAt, to, entry: id });
  return `${window.location.origin}${window.location.pathname}?${search}`;
};

export const Actor = ({ entry }: { readonly entry: AuditEntry }) => (
  <span className="audit-about">
    <span className="soft">{actorWords(entry.actorType)}</span>{' '}
    {entry.actorName ? (
      <ActorName entry={entry} name={isolateBidi(entry.actorName)} />
    ) : entry.actorId === entry.actorType ? null : (
      <Id value={entry.actorId} copy={false} />
    )}
  </span>
);

/** The ID is in the tooltip, and in the details of the entry. */
const ActorName = ({ entry: { actorType, actorId }, name }: { readonly entry: AuditEntry; readonly name: string }) =>
  actorType === 'operator' ? (
    <Link to={`/operators/${actorId}`} title={actorId}>
      {name}
    </Link>
  ) : (
    <span title={actorId}>{name}</span>
  );

// One break beside the list: its amounts, its advice, the corrections that fit it, and its notes.

import type { Break } from '@holdfast/sdk';
import { Aside } from '../../parts/aside.tsx';
import { offersForBreak } from '../../parts/corrections/correction-kinds.ts';
import { CorrectionsPanel } from '../../parts/corrections/corrections-panel.tsx';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { NotesPanel } from '../../parts/notes.tsx';
import { Facts, optionalRow } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { adviceOf, KIND_WORDS } from './advice.tsx';
import type { Owner } from './owners.ts';

type Props = { readonly one: Break; readonly owner: Owner; readonly onClose: () => void };

export const BreakDetails = ({ one, owner, onClose }: Props) => (
  <Aside title={KIND_WORDS[one.kind]} of={one.id} onClose={onClose}>
    <Facts
      rows={[
        ['Subject', <Id key="subject" value={one.subject} />],
        ...optionalRow(one.orderId, ['Order', <Id key="order" value={one.orderId} />]),
        ...optionalRow(one.userId, ['User', <Id key="user" value={one.userId} />]),
        ['Status', <Status key="status" value={one.isOpen ? 'OPEN' : 'RESOLVED'} tone={one.isOpen ? 'bad' : 'good'} />],
        ['Books', <Amount key="books" value={one.expected} places={7} />],
        ['Actual', <Amount key="actual" value={one.actual} places={7} />],
        ['Difference', <Amount key="difference" value={one.difference} places={7} signed />],
        ['First seen', <Time key="first" value={one.firstSeenAt} exact />],
        ['Last seen', <Time key="last" value={one.lastSeenAt} exact />],
        ...optionalRow(one.resolvedAt, ['Resolved', <Time key="resolved" value={one.resolvedAt} exact />]),
      ]}
    />
    <p>{adviceOf(one, owner)}</p>
    <CorrectionsPanel resourceId={one.id} offers={offersForBreak(one)} />
    <NotesPanel resourceType="break" resourceId={one.id} />
  </Aside>
);

// The actor of a change: a key, the master key, a user, or the system.

import type { AuditEntry } from '@holdfast/sdk';
import { Id } from '../../parts/id.tsx';
import { actorWords } from './audit-words.ts';

export const Actor = ({ entry }: { readonly entry: AuditEntry }) => (
  <span className="audit-about">
    <span className="soft">{actorWords(entry.actorType)}</span>{' '}
    {entry.actorId === entry.actorType ? null : <Id value={entry.actorId} copy={false} />}
  </span>
);

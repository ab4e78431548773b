// The history of one record from the audit trail: the states it has entered, and the actor of each change.

import '../../styles/table.css';
import type { AuditEntry } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

type About = { readonly resourceType: 'TopUp' | 'Withdrawal'; readonly resourceId: string };

const ENTRIES_MAX = 100;

/** Oldest first. */
export const useHistory = ({ resourceType, resourceId }: About) => {
  const client = useClient();
  return useQuery({
    queryKey: ['audit', 'of', resourceId],
    queryFn: async () => {
      const { items } = await client.audit.logs({ resourceType, resourceId, limit: ENTRIES_MAX }).page();
      return items.toReversed();
    },
  });
};

/** The states that the entries name, by audit action. */
export const enteredStates = (
  entries: readonly AuditEntry[] | undefined,
  states: Readonly<Partial<Record<AuditEntry['action'], string>>>,
): { state: string; at: string }[] =>
  (entries ?? []).flatMap(({ action, occurredAt }) => {
    const state = states[action];
    return state ? [{ state, at: occurredAt }] : [];
  });

const ACTORS: Readonly<Record<string, string>> = { master: 'Master key', system: 'Automatic', user: 'User' };

const Actor = ({ entry }: { readonly entry: AuditEntry }) => {
  const { actorType, actorId } = entry;
  if (ACTORS[actorType]) return <span title={actorId}>{ACTORS[actorType]}</span>;
  return <Id value={actorId} copy={false} />;
};

export const HistoryPanel = (about: About) => {
  const query = useHistory(about);
  return (
    <Panel title="History" flush>
      <Loaded query={query} name="History">
        {(entries) => (entries.length === 0 ? <NoHistory /> : <HistoryTable entries={entries} />)}
      </Loaded>
    </Panel>
  );
};

const NoHistory = () => <Empty title="No history yet">Audit entries appear here.</Empty>;

const HistoryTable = ({ entries }: { readonly entries: readonly AuditEntry[] }) => (
  <table className="table" data-compact>
    <caption className="hidden-text">Audit entries, oldest first</caption>
    <thead>
      <tr>
        <th scope="col">Action</th> <th scope="col">Actor</th>
        <th scope="col">Result</th>
        <th scope="col" data-align="end">
          Time
        </th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td data-label="Action" data-phone="title">
            {statusWords(entry.action)}
          </td>
          <td data-label="Actor" data-phone="under" className="pay-who">
            <Actor entry={entry} />
          </td>
          <td data-label="Result" data-phone="value">
            <Status value={entry.result} />
          </td>
          <td data-label="Time" data-align="end" data-phone="time">
            <Time value={entry.occurredAt} exact />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

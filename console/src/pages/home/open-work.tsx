// What waits for somebody, the oldest first in mind: each line leads to its list.

import type { OpenWork } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

type Kind = OpenWork['items'][number]['kind'];

const LINES: Readonly<Record<Kind, { readonly name: string; readonly to: string }>> = {
  disputes_open: { name: 'Disputes that nobody has taken', to: 'disputes?status=OPEN' },
  disputes_under_review: { name: 'Disputes under review', to: 'disputes?status=UNDER_REVIEW' },
  breaks_open: { name: 'Breaks between books and ledger', to: 'breaks' },
  operations_stuck: { name: 'Operations that are stuck', to: 'health' },
  operations_running: { name: 'Operations under way', to: 'health' },
  withdrawals_created: { name: 'Withdrawals to be committed', to: 'withdrawals?status=WITHDRAWAL_CREATED' },
  withdrawals_committed: { name: 'Withdrawals on their way', to: 'withdrawals?status=WITHDRAWAL_COMMITTED' },
  withdrawals_pending: { name: 'Withdrawals at the provider', to: 'withdrawals?status=WITHDRAWAL_PENDING' },
  withdrawals_pending_user_action: {
    name: 'Withdrawals that wait for the user',
    to: 'withdrawals?status=WITHDRAWAL_PENDING_USER_ACTION',
  },
  topups_created: { name: 'Top-ups just made', to: 'topups?status=TOPUP_CREATED' },
  topups_awaiting_user_confirmation: {
    name: 'Top-ups that wait for the user',
    to: 'topups?status=TOPUP_AWAITING_USER_CONFIRMATION',
  },
  topups_processing: { name: 'Top-ups at the provider', to: 'topups?status=TOPUP_PROCESSING' },
};

/** Neither a break nor an operation that is stuck tells of itself by an event. */
const LOOK_EVERY_MS = 30_000;

export const OpenWorkPanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['reports', 'open-work'],
    queryFn: () => client.reports.openWork(),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Panel title="Open work" flush>
      <Loaded query={query} name="Open work">
        {(work) => <WorkLines work={work} />}
      </Loaded>
    </Panel>
  );
};

const WorkLines = ({ work }: { readonly work: OpenWork }) => {
  const waiting = work.items.filter((item) => item.count > 0);
  if (waiting.length === 0) {
    return (
      <Empty title="Nothing waits for anybody">Disputes, breaks and payments that need a person appear here.</Empty>
    );
  }
  return (
    <table className="table">
      <caption className="hidden-text">Open work</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" data-align="end">
            How many
          </th>
          <th scope="col" data-align="end">
            Oldest
          </th>
        </tr>
      </thead>
      <tbody>
        {waiting.map(({ kind, count, oldestAt }) => (
          <tr key={kind}>
            <td>
              <WorkName kind={kind} />
            </td>
            <td data-label="How many" data-align="end" className="amount">
              {count < work.countedMax ? count : `${work.countedMax}+`}
            </td>
            <td data-label="Oldest" data-align="end">
              <Time value={oldestAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const WorkName = ({ kind }: { readonly kind: Kind }) => {
  const { name, to } = LINES[kind];
  return <Link to={`/${to}`}>{name}</Link>;
};

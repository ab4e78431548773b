// What needs attention: one line per kind of open work, with a link to its list.

import '../../styles/table.css';
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
  disputes_open: { name: 'Unassigned disputes', to: 'disputes?status=OPEN' },
  disputes_under_review: { name: 'Disputes under review', to: 'disputes?status=UNDER_REVIEW' },
  breaks_open: { name: 'Open reconciliation breaks', to: 'breaks' },
  operations_stuck: { name: 'Stuck operations', to: 'health' },
  operations_running: { name: 'Running operations', to: 'health' },
  withdrawals_created: { name: 'Uncommitted withdrawals', to: 'withdrawals?status=WITHDRAWAL_CREATED' },
  withdrawals_committed: { name: 'Committed withdrawals', to: 'withdrawals?status=WITHDRAWAL_COMMITTED' },
  withdrawals_pending: { name: 'Pending withdrawals', to: 'withdrawals?status=WITHDRAWAL_PENDING' },
  withdrawals_pending_user_action: {
    name: 'Withdrawals awaiting the user',
    to: 'withdrawals?status=WITHDRAWAL_PENDING_USER_ACTION',
  },
  topups_created: { name: 'New top-ups', to: 'topups?status=TOPUP_CREATED' },
  topups_awaiting_user_confirmation: {
    name: 'Top-ups awaiting confirmation',
    to: 'topups?status=TOPUP_AWAITING_USER_CONFIRMATION',
  },
  topups_processing: { name: 'Top-ups in processing', to: 'topups?status=TOPUP_PROCESSING' },
};

/** Breaks and stuck operations emit no events. */
const POLL_MS = 30_000;

export const OpenWorkPanel = () => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['reports', 'open-work'],
    queryFn: () => client.reports.openWork(),
    refetchInterval: POLL_MS,
  });
  return (
    <Panel title="Needs attention" flush>
      <Loaded query={query} name="The list">
        {(work) => <WorkLines work={work} />}
      </Loaded>
    </Panel>
  );
};

const WorkLines = ({ work }: { readonly work: OpenWork }) => {
  const waiting = work.items.filter((item) => item.count > 0);
  if (waiting.length === 0) {
    return <Empty title="Nothing needs attention">Disputes, breaks and payments that need action appear here.</Empty>;
  }
  return (
    <table className="table" data-compact>
      <caption className="hidden-text">Needs attention</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" data-align="end">
            Count
          </th>
          <th scope="col" data-align="end">
            Oldest
          </th>
        </tr>
      </thead>
      <tbody>
        {waiting.map(({ kind, count, oldestAt }) => (
          <tr key={kind} data-link="narrow">
            <td data-phone="title">
              <WorkName kind={kind} />
            </td>
            <td data-label="Count" data-align="end" data-phone="value" className="amount">
              {count < work.countedMax ? count : `${work.countedMax}+`}
            </td>
            <td data-label="Oldest" data-align="end" data-phone="under">
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

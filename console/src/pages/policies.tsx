// The policies of this marketplace: rules that orders take at their creation. Every version is listed, newest first.

import { POLICY_EXPORT } from '../exports/orders.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import '../styles/policies.css';
import type { Policy } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { isolateBidi } from '../parts/bidi.ts';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { useClient, useDenial } from '../session.tsx';
import { CreatePolicy } from './policies/create-policy.tsx';
import { durationWords } from './policies/durations.ts';
import { ruleRows } from './policies/rule-rows.ts';

export const Component = () => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const [isCreating, setCreating] = useState(false);
  const paged = usePaged({
    queryKey: ['policies', 'list'],
    list: (page) => client.policies.list(page),
  });
  return (
    <>
      <PageHeader
        title="Policies"
        text="An order takes a policy when it is created and keeps that version. Without a policy nothing happens by itself."
        actions={
          <Button tone="accent" icon="policies" reason={writeDenial} onClick={() => setCreating(true)}>
            Create policy
          </Button>
        }
      />
      <Panel title="Versions" flush actions={<ExportButton label="Versions" paged={paged} exported={POLICY_EXPORT} />}>
        <DataTable
          label="Versions"
          columns={COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/policies/${id}`}
          empty={
            <Empty title="No policies yet">
              Create one to release, cancel or remind at a deadline, or to charge another fee.
            </Empty>
          }
        />
      </Panel>
      {isCreating ? <CreatePolicy onClose={() => setCreating(false)} /> : null}
    </>
  );
};

const deadlineWords = ({ rules }: Policy): string => {
  const rows = ruleRows(rules);
  if (rows.length === 0) return 'None';
  return rows.map(({ does, duration }) => `${does} after ${durationWords(duration)}`).join('; ');
};

const COLUMNS: readonly Column<Policy>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <Link to={`/policies/${id}`} className="policy-name">
        {isolateBidi(name)}
      </Link>
    ),
  },
  { name: 'Version', phone: 'value', align: 'end', cell: ({ version }) => version },
  { name: 'Deadlines', phone: 'under', cell: (policy) => deadlineWords(policy) },
  { name: 'Created', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

// The operators of this marketplace: who may work with it, and in which role. The link of an invitation is shown once.

import '../../styles/inline-filters.css';
import '../../styles/operators.css';
import type { ListOperatorsQuery, Operator } from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { OPERATOR_EXPORT } from '../../exports/operators.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Breakable } from '../../parts/lists/breakable.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Secret, SecretDialog } from '../../parts/secret/secret-dialog.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial, useSession } from '../../session.tsx';
import { InviteOperator } from './invite-operator.tsx';
import { ROLE_OPTIONS, ROLE_WORDS, waysWords } from './role-words.ts';

const STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'];
/** Operators emit no events. */
const POLL_MS = 15_000;

export const Component = () => {
  const client = useClient();
  const { me } = useSession();
  const adminReason = useDenial('admin');
  const filters = useFilters(['status', 'role'] as const);
  const [isInviting, setInviting] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const paged = usePaged({
    queryKey: ['operators', 'list', filters.values],
    everyMs: POLL_MS,
    list: (page) => client.operators.list({ ...(filters.values as ListOperatorsQuery), ...page }),
  });
  return (
    <>
      <PageHeader
        title="Operators"
        text={`People who work with ${me.marketplaceId}. Each signs in by name; the audit trail shows who did what.`}
        actions={
          <Button tone="accent" icon="operators" reason={adminReason} onClick={() => setInviting(true)}>
            Invite operator
          </Button>
        }
      />
      <Panel
        title="Operators"
        flush
        actions={
          <>
            <div className="inline-filters">
              <FilterBar filters={filters}>
                <ChoiceFilter filters={filters} name="status" label="Status" options={STATUSES} />
                <ChoiceFilter filters={filters} name="role" label="Role" options={ROLE_OPTIONS} />
              </FilterBar>
            </div>
            <ExportButton label="Operators" paged={paged} exported={OPERATOR_EXPORT} />
          </>
        }
      >
        <DataTable
          label="Operators"
          columns={columnsFor(me.apiKeyId)}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/operators/${id}`}
          empty={
            <Empty title={filters.isEmpty ? 'No operators yet' : 'No matching operators'}>
              {filters.isEmpty
                ? 'Invite a person by e-mail address and role. Operators of all marketplaces are in mkt_default.'
                : 'Try another status or role.'}
            </Empty>
          }
        />
      </Panel>
      {isInviting ? (
        <InviteOperator
          onClose={() => setInviting(false)}
          onSecret={(made) => {
            setInviting(false);
            setSecret(made);
          }}
        />
      ) : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
};

const columnsFor = (ownId: string): readonly Column<Operator>[] => [
  {
    name: 'Name',
    cell: ({ id, name }) => (
      <span>
        <Link to={`/operators/${id}`}>{isolateBidi(name)}</Link>
        {id === ownId ? <span className="operators-own">you</span> : null}
      </span>
    ),
  },
  {
    name: 'E-mail',
    cell: ({ email }) => (email ? <Breakable text={email} /> : null),
  },
  {
    name: 'Role',
    phone: 'under',
    cell: ({ role, everywhere }) => `${ROLE_WORDS[role].name}${everywhere ? ', all marketplaces' : ''}`,
  },
  { name: 'Status', phone: 'value', cell: ({ status }) => <Status value={status} /> },
  { name: 'Sign-in', cell: (operator) => waysWords(operator) || <span className="soft">–</span> },
  { name: 'Created', phone: 'time', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

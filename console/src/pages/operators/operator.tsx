// One operator: role, ways to sign in, sessions, and what an administrator can change.

import '../../styles/operators.css';
import type { Operator } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { isolateBidi } from '../../parts/bidi.ts';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Facts, optionalRow, Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial, useSession } from '../../session.tsx';
import { OperatorActions } from './operator-actions.tsx';
import { ROLE_WORDS, waysWords } from './role-words.ts';
import { SessionsPanel } from './sessions-panel.tsx';

const POLL_MS = 15_000;
const PARENT = { name: 'Operators', to: '/operators' };

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({
    queryKey: ['operators', id],
    queryFn: () => client.operators.get(id),
    refetchInterval: POLL_MS,
  });
  if (!query.data) {
    return (
      <>
        <PageHeader title="Operator" parent={PARENT} />
        <Loaded query={query} name="The operator">
          {() => null}
        </Loaded>
      </>
    );
  }
  return <OperatorPage operator={query.data} />;
};

const OperatorPage = ({ operator }: { readonly operator: Operator }) => {
  const { client, me } = useSession();
  const isOwn = me.apiKeyId === operator.id;
  const isAdmin = useDenial('admin') === null;
  return (
    <>
      <PageHeader
        title={operator.name}
        badge={<Status value={operator.status} />}
        parent={PARENT}
        text={
          isOwn ? (
            <>
              This is you. <Link to="/account">Your account</Link> has your sessions and passkeys.
            </>
          ) : undefined
        }
        actions={<OperatorActions operator={operator} isOwn={isOwn} />}
      />
      <Panel title="Details">
        <OperatorFacts operator={operator} />
        <p>
          <Link to={`/audit?resourceType=Operator&resourceId=${operator.id}`}>Changes of this operator</Link>
        </p>
      </Panel>
      {isAdmin || isOwn ? <SessionsPanel client={client} operatorId={operator.id} /> : null}
    </>
  );
};

export const OperatorFacts = ({ operator }: { readonly operator: Operator }) => (
  <Facts
    rows={[
      ['E-mail', operator.email && isolateBidi(operator.email)],
      ['Role', `${ROLE_WORDS[operator.role].name}: ${ROLE_WORDS[operator.role].text}`],
      ['Marketplace', operator.everywhere ? 'All marketplaces' : operator.marketplaceId],
      ['Sign-in', waysWords(operator) || null],
      ...optionalRow(operator.inviteExpiresAt, [
        'Invitation',
        <span key="invitation">
          open until <Time value={operator.inviteExpiresAt} exact />
        </span>,
      ]),
      ['Created', <Time key="created" value={operator.createdAt} exact />],
      ['ID', <Id key="id" value={operator.id} link={false} />],
    ]}
  />
);

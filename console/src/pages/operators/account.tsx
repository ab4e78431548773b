// The own account of an operator: facts, sessions and passkeys. A key has none.

import '../../styles/operators.css';
import { useMemo } from 'react';
import { makeClient } from '../../api.ts';
import type { ConsoleSession } from '../../console-routes.ts';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { plural } from '../../plural.ts';
import { useSession } from '../../session.tsx';
import { OperatorFacts } from './operator.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export const Component = () => {
  const { own } = useSession();
  return own ? <OwnAccount own={own} /> : <KeyAccount />;
};

const OwnAccount = ({ own }: { readonly own: ConsoleSession }) => {
  // An operator of all marketplaces belongs to one of them, whichever is chosen.
  const client = useMemo(() => makeClient({ csrfToken: own.csrfToken }), [own.csrfToken]);
  return (
    <>
      <PageHeader
        title="Your account"
        text={
          <>
            {own.operator.name}. This session ends <Time value={own.expiresAt} exact />, or after{' '}
            {plural(own.idleMinutes, 'minute')} without use.
          </>
        }
      />
      <Panel title="Details">
        <OperatorFacts operator={own.operator} />
        <p className="soft">
          An administrator changes your name and role. For a new password or app, ask for a new invitation.
        </p>
      </Panel>
      <PasskeysPanel csrfToken={own.csrfToken} />
      <SessionsPanel client={client} operatorId={own.operator.id} />
    </>
  );
};

const KeyAccount = () => (
  <>
    <PageHeader title="Your account" />
    <section className="panel">
      <Empty title="You are signed in with a key">
        Only an operator has an account. An administrator invites operators on the Operators page.
      </Empty>
    </section>
  </>
);

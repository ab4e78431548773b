// The page of an invitation: what it offers, and the form that accepts it. The token is behind the # of the link, so no server log and no
// other site sees it. It has no frame of the console around it, because there is no session yet.

import '../styles/operators.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { isRefusal } from '../api.ts';
import { askConsole } from '../console-routes.ts';
import { keepCredentials } from '../kept.ts';
import { Mark } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { type InviteFacts, JoinForm } from './join-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const HOME = '/console/';

/** A full load: the session begins with the cookie. A key of this tab would come before it. */
const enter = (): void => {
  keepCredentials(null);
  window.location.replace(HOME);
};

export const Component = () => {
  useEffect(() => {
    document.title = 'Join · Holdfast';
  }, []);
  return (
    <main className="sign-in">
      <div className="sign-in-box join-box">
        <div className="sign-in-brand">
          <Mark />
          Holdfast
        </div>
        <Invitation token={useLocation().hash.slice(1)} />
      </div>
    </main>
  );
};

const Invitation = ({ token }: { readonly token: string }) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const query = useQuery({
    queryKey: ['invite', token],
    queryFn: () => askConsole<InviteFacts>('GET /console/invite', { invitation: token }),
    enabled: token !== '' && codes === null,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={enter} />;
  const isGone = token === '' || (isRefusal(query.error) && query.error.status === 404);
  if (isGone) return <Gone />;
  const onJoined = (recoveryCodes: readonly string[]): void => {
    if (recoveryCodes.length === 0) enter();
    else setCodes(recoveryCodes);
  };
  return (
    <Loaded query={query} name="The invitation">
      {(facts) => <JoinForm token={token} facts={facts} onJoined={onJoined} />}
    </Loaded>
  );
};

const Gone = () => (
  <section className="panel sign-in-form">
    <h1>Join Holdfast</h1>
    <Notice title="This invitation does not work" tone="warn">
      <p>It was used, has expired, or a newer one replaced it. Ask for a new link.</p>
    </Notice>
    <a className="button" href={HOME}>
      Go to the sign-in
    </a>
  </section>
);

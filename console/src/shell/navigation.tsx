// The navigation, with the signed-in key or operator and the sign-out button below.

import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, NavLink } from 'react-router';
import { pagesFor } from '../page-list.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { mayChoose, useClient, useConfig, useDenial, useSession, useSessionControl } from '../session.tsx';

export const Navigation = () => {
  const isSandbox = useConfig()?.sandbox === true;
  const { me } = useSession();
  const shown = pagesFor({ isSandbox, isMaster: me.type === 'master' });
  return (
    <nav className="rail" aria-label="Pages">
      {shown.map(({ path, name, icon, startsGroup }) => (
        <Fragment key={path}>
          {startsGroup ? <div className="rail-gap" /> : null}
          <NavLink to={`/${path}`} end={path === ''} className="rail-link">
            <Icon name={icon!} />
            {name}
            {path === 'approvals' ? <WaitingCount /> : null}
          </NavLink>
        </Fragment>
      ))}
      <Signed isSandbox={isSandbox} />
    </nav>
  );
};

const COUNTED_MAX = 99;

/** How many requests wait for a decision. Their events make it stale. */
const WaitingCount = () => {
  const client = useClient();
  const isDenied = useDenial('read') !== null;
  const { data } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () => client.approvals.list({ status: 'PENDING', limit: COUNTED_MAX }).page(),
    enabled: !isDenied,
  });
  if (!data || data.items.length === 0) return null;
  const shown = data.hasMore ? `${COUNTED_MAX}+` : String(data.items.length);
  return (
    <span className="alert-count">
      {shown}
      <span className="hidden-text"> waiting</span>
    </span>
  );
};

const Signed = ({ isSandbox }: { readonly isSandbox: boolean }) => {
  const session = useSession();
  const { me, own } = session;
  const { signOut, choose } = useSessionControl();
  const rights = me.scopes.includes('*') ? 'all permissions' : me.scopes.join(', ');
  return (
    <div className="rail-foot">
      {isSandbox ? <span>Sandbox: no real money</span> : null}
      <span>
        <strong>{own ? <Link to="/account">{me.apiKeyName}</Link> : me.apiKeyName}</strong>
        <br />
        {me.marketplaceId}
        <br />
        {own ? `${own.operator.role}: ${rights}` : rights}
      </span>
      {own && mayChoose(session) ? (
        <Button tone="plain" onClick={() => choose({ session, keep: false })}>
          Change marketplace
        </Button>
      ) : null}
      <Button icon="exit" onClick={() => signOut()}>
        Sign out
      </Button>
    </div>
  );
};

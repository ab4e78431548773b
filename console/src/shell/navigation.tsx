// The navigation, with the signed-in key and the sign-out button below.

import { Fragment } from 'react';
import { NavLink } from 'react-router';
import { pagesFor } from '../page-list.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useConfig, useSession, useSessionControl } from '../session.tsx';

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
          </NavLink>
        </Fragment>
      ))}
      <Signed isSandbox={isSandbox} />
    </nav>
  );
};

const Signed = ({ isSandbox }: { readonly isSandbox: boolean }) => {
  const { me } = useSession();
  const { signOut } = useSessionControl();
  return (
    <div className="rail-foot">
      {isSandbox ? <span>Sandbox: no real money</span> : null}
      <span>
        <strong>{me.apiKeyName}</strong>
        <br />
        {me.marketplaceId}
        <br />
        {me.scopes.includes('*') ? 'all permissions' : me.scopes.join(', ')}
      </span>
      <Button icon="exit" onClick={() => signOut()}>
        Sign out
      </Button>
    </div>
  );
};

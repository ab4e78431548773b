// The sign-in page: by an operator, or with an API key, a token or the master key. Who may choose a marketplace does so in a second step.
// The URL stays the same, so that a link leads to its page after the sign-in. Loaded when it is needed.

import '../styles/operators.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askConsole } from '../console-routes.ts';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/icon.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSessionControl } from '../session.tsx';
import { KeyForm } from './key-form.tsx';
import { MarketplaceStep } from './marketplace-step.tsx';
import { OperatorForm } from './operator-form.tsx';
import { takeFailure } from './sign-on-failure.ts';

/** The ways to sign in to this server. */
export type SignInOptions = {
  readonly keys: boolean;
  readonly operators: boolean;
  readonly secondFactor: 'required' | 'optional';
  readonly idleMinutes: number;
  readonly singleSignOn: { readonly name: string; readonly url: string } | null;
};

export const SignIn = () => {
  const { notice, choosing, choose, signOut } = useSessionControl();
  const [failure] = useState(takeFailure);
  useEffect(() => {
    document.title = 'Sign in · Holdfast';
  }, []);
  const shown = notice ?? failure;
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <div className="sign-in-brand">
          <Mark />
          Holdfast
        </div>
        {shown && !choosing ? <Notice title={shown} tone="warn" /> : null}
        {choosing ? (
          <MarketplaceStep {...choosing} onBack={() => (choosing.session.own ? signOut() : choose(null))} />
        ) : (
          <Ways />
        )}
      </div>
    </main>
  );
};

const Ways = () => {
  const query = useQuery({
    queryKey: ['sign-in'],
    queryFn: () => askConsole<SignInOptions>('GET /console/sign-in'),
    // Asked again at each sign-in: the first operator may have joined since.
    gcTime: 0,
  });
  return (
    <Loaded query={query} name="The sign-in">
      {(options) => <Forms options={options} />}
    </Loaded>
  );
};

const Forms = ({ options }: { readonly options: SignInOptions }) => {
  const [usesKey, setUsesKey] = useState(options.keys && !options.operators);
  return (
    <>
      {usesKey ? <KeyForm idleMinutes={options.idleMinutes} /> : <OperatorForm options={options} />}
      {options.keys && options.operators ? (
        <Button tone="plain" onClick={() => setUsesKey(!usesKey)}>
          {usesKey ? 'Use e-mail and password' : 'Use a key'}
        </Button>
      ) : null}
      {options.operators ? null : (
        <p className="sign-in-hint">
          No operator has joined yet. The server printed a link for the first administrator when it started.
        </p>
      )}
    </>
  );
};

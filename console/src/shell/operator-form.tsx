// The sign-in of an operator: e-mail, password and code, a passkey, or the single sign-on.

import { type FormEvent, useState } from 'react';
import { errorMessage, isRefusal } from '../api.ts';
import { askConsole, type ConsoleSession } from '../console-routes.ts';
import { keepPlace } from '../kept.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { mayChoose, openOwn, useSessionControl } from '../session.tsx';
import { getPasskey, whyNoPasskey } from './passkey.ts';
import type { SignInOptions } from './sign-in.tsx';

type Way = 'password' | 'passkey';

const FAILED: Readonly<Record<Way, string>> = {
  password: 'Not accepted. Check the e-mail address, the password and the code. Each code works once.',
  passkey: 'The passkey was not accepted. Use another one, or sign in with your password.',
};

const problemOf = (error: unknown, way: Way): string => {
  if (!isRefusal(error)) return errorMessage(error);
  if (error.code === 'SIGN_IN_FAILED' || error.code === 'VALIDATION_ERROR') return FAILED[way];
  if (error.status !== 429) return errorMessage(error);
  const seconds = error.retryAfter ?? Number((error.details as { retryAfter?: number }).retryAfter ?? 60);
  return `Too many attempts. Wait ${Math.max(1, Math.ceil(seconds))} s, then try again.`;
};

/** Runs one way to sign in at a time. */
const useSignIn = () => {
  const { signIn, choose } = useSessionControl();
  const [busy, setBusy] = useState<Way | null>(null);
  const [problem, setProblem] = useState<string>();
  const run = async (way: Way, prove: () => Promise<ConsoleSession>): Promise<void> => {
    if (busy) return;
    setBusy(way);
    setProblem(undefined);
    try {
      const session = await openOwn(await prove());
      if (mayChoose(session)) choose({ session, keep: false });
      else signIn(session, false);
    } catch (error) {
      setProblem(problemOf(error, way));
    } finally {
      setBusy(null);
    }
  };
  return { busy, problem, run };
};

const signInWithPasskey = async (): Promise<ConsoleSession> => {
  const options = await askConsole('POST /console/sign-in/passkey');
  return askConsole('POST /console/session/passkey', { body: { passkey: await getPasskey(options) } });
};

export const OperatorForm = ({ options }: { readonly options: SignInOptions }) => {
  const { busy, problem, run } = useSignIn();
  const [form, setForm] = useState({ email: '', password: '', code: '' });
  const field = (name: keyof typeof form) => ({
    name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { email, password } = form;
    const code = form.code.trim();
    if (email.trim() === '' || password === '') return;
    const body = { email: email.trim(), password, ...(code ? { code } : {}) };
    void run('password', () => askConsole('POST /console/session', { body }));
  };

  return (
    <form className="panel sign-in-form" onSubmit={submit} noValidate>
      <h1>Sign in</h1>
      <TextField label="E-mail" type="email" autoComplete="username" autoFocus {...field('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" {...field('password')} />
      <TextField
        label="Code"
        autoComplete="one-time-code"
        hint={
          options.secondFactor === 'required'
            ? 'Six digits of your app, or a recovery code.'
            : 'Six digits of your app, or a recovery code; empty if you have neither.'
        }
        {...field('code')}
      />
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      <Button type="submit" tone="accent" isBusy={busy === 'password'}>
        Sign in
      </Button>
      <Button
        icon="keys"
        isBusy={busy === 'passkey'}
        reason={whyNoPasskey()}
        onClick={() => void run('passkey', signInWithPasskey)}
      >
        Use a passkey
      </Button>
      {options.singleSignOn ? (
        <a className="button" href={options.singleSignOn.url} onClick={keepPlace}>
          Continue with {options.singleSignOn.name}
        </a>
      ) : null}
    </form>
  );
};

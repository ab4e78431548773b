// Accepts an invitation: a password with an app that shows codes, or a passkey, which needs neither.

import { type FormEvent, useState } from 'react';
import { errorMessage, fieldErrorsOf, isRefusal } from '../api.ts';
import { askConsole } from '../console-routes.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorNotice } from '../parts/notice.tsx';
import { Facts } from '../parts/panel.tsx';
import { statusWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { makePasskey, whyNoPasskey } from '../shell/passkey.ts';
import { AppSetup } from './app-setup.tsx';
import { PasswordField, passwordProblem } from './password-field.tsx';
import { type Way, WayChoice } from './way-choice.tsx';

export type InviteFacts = {
  readonly kind: 'invitation' | 'first-admin';
  readonly email: string | null;
  readonly name: string | null;
  readonly role: string;
  readonly marketplaceId: string;
  readonly expiresAt: string;
  readonly secondFactor: 'required' | 'optional';
};

type Props = {
  readonly token: string;
  readonly facts: InviteFacts;
  readonly onJoined: (recoveryCodes: readonly string[]) => void;
};

const EMPTY = { name: '', email: '', password: '', code: '', passkeyName: '' };

type Form = typeof EMPTY;

const FIELDS = ['email', 'name', 'password', 'code'];

const wrongIn = (form: Form, { way, facts }: { way: Way; facts: InviteFacts }): Readonly<Partial<Form>> => {
  const isFirst = facts.kind === 'first-admin';
  const password = way === 'passkey' ? null : passwordProblem(form.password);
  return {
    ...(isFirst && form.name.trim() === '' ? { name: 'Enter your name.' } : {}),
    ...(isFirst && !/^\S+@\S+$/.test(form.email.trim()) ? { email: 'Enter your e-mail address.' } : {}),
    ...(password ? { password } : {}),
    ...(way === 'app' && !/^\d{6}$/.test(form.code.trim())
      ? { code: 'Enter the six digits that the app shows now.' }
      : {}),
  };
};

const accept = async (form: Form, { token, way, facts }: { token: string; way: Way; facts: InviteFacts }) => {
  const email = form.email.trim();
  const person = facts.kind === 'first-admin' ? { email, name: form.name.trim() } : {};
  const body =
    way === 'passkey'
      ? {
          ...person,
          passkey: await makePasskey(
            await askConsole('POST /console/invite/passkey', {
              invitation: token,
              body: facts.kind === 'first-admin' ? { email } : {},
            }),
          ),
          ...(form.passkeyName.trim() ? { passkeyName: form.passkeyName.trim() } : {}),
        }
      : { ...person, password: form.password, ...(way === 'app' ? { code: form.code.trim() } : {}) };
  return askConsole<{ readonly recoveryCodes: readonly string[] }>('POST /console/invite', { invitation: token, body });
};

export const JoinForm = ({ token, facts, onJoined }: Props) => {
  const [form, setForm] = useState<Form>(EMPTY);
  const [way, setWay] = useState<Way>('app');
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const wrong = wrongIn(form, { way, facts });
  const refused = fieldErrorsOf(error, FIELDS);
  const field = (name: keyof Form) => ({
    value: form[name],
    error: (isChecked ? wrong[name] : undefined) ?? refused[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    if (isBusy || Object.keys(wrong).length > 0) return;
    setBusy(true);
    setError(null);
    try {
      onJoined((await accept(form, { token, way, facts })).recoveryCodes);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <form className="panel sign-in-form" onSubmit={submit} noValidate>
      <h1>Join Holdfast</h1>
      <InviteText facts={facts} />
      {facts.kind === 'first-admin' ? (
        <>
          <TextField label="Your name" autoComplete="name" autoFocus {...field('name')} />
          <TextField label="Your e-mail" type="email" autoComplete="username" {...field('email')} />
        </>
      ) : (
        <input type="hidden" autoComplete="username" value={facts.email ?? ''} readOnly />
      )}
      <WayChoice way={way} onChange={setWay} mayBeNone={facts.secondFactor === 'optional'} noPasskey={whyNoPasskey()} />
      {way === 'passkey' ? (
        <TextField label="Name of the passkey" hint="Such as “Work laptop”." {...field('passkeyName')} />
      ) : (
        <PasswordField {...field('password')} />
      )}
      {way === 'app' ? <AppSetup token={token} field={field('code')} /> : null}
      <Problem error={error} other={refused['']} />
      <Button type="submit" tone="accent" isBusy={isBusy}>
        {way === 'passkey' ? 'Create the passkey and join' : 'Join'}
      </Button>
    </form>
  );
};

const Problem = ({ error, other }: { readonly error: unknown; readonly other: string | undefined }) => {
  if (!error) return null;
  if (isRefusal(error)) return other ? <ErrorNotice title="You have not joined" error={error} /> : null;
  return (
    <p className="field-error" role="alert">
      {errorMessage(error)}
    </p>
  );
};

const InviteText = ({ facts }: { readonly facts: InviteFacts }) => (
  <>
    {facts.kind === 'first-admin' ? (
      <p>You become the first administrator of all marketplaces of this server.</p>
    ) : null}
    <Facts
      rows={[
        ...(facts.kind === 'first-admin'
          ? []
          : ([
              ['Name', facts.name],
              ['E-mail', facts.email],
              ['Role', statusWords(facts.role)],
              ['Marketplace', facts.marketplaceId],
            ] as const)),
        ['Valid until', <Time key="until" value={facts.expiresAt} exact />],
      ]}
    />
  </>
);

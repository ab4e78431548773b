// The sign-in with an API key, a token or the master key.

import { type FormEvent, useState } from 'react';
import { errorMessage, isSignedOut } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { plural } from '../plural.ts';
import { mayChoose, openSession, useSessionControl } from '../session.tsx';

const WRONG_KEY =
  'The key was not accepted. Check that it is complete, not revoked or expired, and belongs to this server.';

export const KeyForm = ({ idleMinutes }: { readonly idleMinutes: number }) => {
  const { signIn, choose } = useSessionControl();
  const [apiKey, setApiKey] = useState('');
  const [keep, setKeep] = useState(true);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const typed = apiKey.trim();
    if (typed === '' || isBusy) {
      setProblem(typed === '' ? 'Enter a key.' : problem);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const session = await openSession({ apiKey: typed }, { idleMinutes });
      if (mayChoose(session)) choose({ session, keep });
      else signIn(session, keep);
    } catch (error) {
      setProblem(isSignedOut(error) ? WRONG_KEY : errorMessage(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="panel sign-in-form" onSubmit={submit}>
      <h1>Sign in</h1>
      <TextField
        label="API key or token"
        type="password"
        name="key"
        autoComplete="current-password"
        autoFocus
        value={apiKey}
        error={problem}
        hint={`The key stays in this tab until you sign out, close the tab, or do not use it for ${plural(idleMinutes, 'minute')}. It is sent to this server only.`}
        onChange={(event) => setApiKey(event.target.value)}
      />
      <CheckField
        label="Stay signed in when this tab is reloaded"
        checked={keep}
        onChange={(event) => setKeep(event.target.checked)}
      />
      <Button type="submit" tone="accent" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
};

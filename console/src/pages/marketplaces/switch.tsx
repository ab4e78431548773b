// Switches the session of the master key to another marketplace.

import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api.ts';
import { isKeyKept } from '../../kept.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Status } from '../../parts/status.tsx';
import { openIn, useSession, useSessionControl } from '../../session.tsx';

const useSwitch = (quiet: boolean) => {
  const session = useSession();
  const { signIn } = useSessionControl();
  return useAction({
    run: (marketplaceId: string) => openIn(session, marketplaceId),
    done: ({ me: now }) => ({
      title: `Switched to ${now.marketplaceId}`,
      text: 'All pages now show this marketplace.',
    }),
    failed: 'The marketplace was not switched',
    quiet,
    onDone: (opened) => signIn(opened, isKeyKept()),
  });
};

export const CurrentMark = () => <Status value="HERE" tone="good" words="Current" />;

export const SwitchButton = ({ id }: { readonly id: string }) => {
  const { me } = useSession();
  const act = useSwitch(false);
  return id === me.marketplaceId ? (
    <CurrentMark />
  ) : (
    <Button aria-label={`Switch to ${id}`} isBusy={act.isPending} onClick={() => act.mutate(id)}>
      Switch
    </Button>
  );
};

/** For a marketplace that has no record yet. */
export const SwitchForm = () => {
  const act = useSwitch(true);
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && typed.trim() !== '') act.mutate(typed.trim());
  };
  return (
    <form className="marketplaces-another" onSubmit={submit}>
      <TextField
        label="Another marketplace"
        value={typed}
        placeholder="mkt_…"
        hint="A new marketplace is created with its first record."
        error={act.error ? errorMessage(act.error) : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" isBusy={act.isPending} reason={typed.trim() === '' ? 'Enter its ID first.' : null}>
        Switch
      </Button>
    </form>
  );
};

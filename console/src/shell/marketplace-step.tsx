// The second step of a sign-in with the master key or by an operator of all marketplaces: the choice of a marketplace.

import type { Marketplace } from '@holdfast/sdk';
import { type FormEvent, useEffect, useState } from 'react';
import { errorMessage } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { watchSession } from '../queries.ts';
import { openIn, type Session, useSessionControl } from '../session.tsx';

type Props = { readonly session: Session; readonly keep: boolean; readonly onBack: () => void };

const OFFERED_MAX = 100;
const MASTER_HINT = 'The master key has full access to every marketplace.';

export const MarketplaceStep = ({ session, keep, onBack }: Props) => {
  const { signIn } = useSessionControl();
  const [chosen, setChosen] = useState(session.me.marketplaceId);
  const [known, setKnown] = useState<readonly Marketplace[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    // Only the master key may list them.
    if (session.own) return;
    // Suggestions only: a marketplace without records can still be typed.
    session.client.marketplaces
      .list({ limit: OFFERED_MAX })
      .page()
      .then(
        (page) => setKnown(page.items),
        () => setKnown([]),
      );
  }, [session]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const isOver = watchSession();
    try {
      const opened = await openIn(session, chosen.trim());
      if (!isOver()) signIn(opened, keep);
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };

  return (
    <form className="panel sign-in-form" onSubmit={submit}>
      <h1>Choose a marketplace</h1>
      <TextField
        label="Marketplace"
        name="marketplace"
        list="marketplaces"
        autoFocus
        value={chosen}
        error={problem}
        hint={session.own ? 'Your role applies in every marketplace.' : MASTER_HINT}
        onChange={(event) => setChosen(event.target.value)}
      />
      <datalist id="marketplaces">
        {known.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <Button type="submit" tone="accent" isBusy={isBusy}>
        Continue
      </Button>
      <Button tone="plain" onClick={onBack}>
        {session.own ? 'Sign out' : 'Use another key'}
      </Button>
    </form>
  );
};

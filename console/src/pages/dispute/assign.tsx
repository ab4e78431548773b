// Somebody takes a dispute up: any name, or that of the key.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { isolated } from '../../parts/foreign.ts';
import { Trouble } from '../../parts/notice.tsx';
import { useReason } from '../../parts/rights.ts';
import { useClient, useSession } from '../../session.tsx';

export const AssignForm = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const client = useClient();
  const { me } = useSession();
  const mayDecide = useReason('support');
  const [name, setName] = useState('');
  const act = useAction<DisputeWithOrder, string>({
    run: (assignedTo) => client.disputes.assign(dispute.id, { assignedTo }),
    done: ({ assignedTo }) => ({
      title: `${isolated(assignedTo ?? '')} looks into it`,
      text: 'Next: read the evidence, then decide.',
    }),
    failed: 'The dispute was not taken up',
    touches: [['disputes'], ['orders']],
    quiet: true,
  });
  const chosen = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!mayDecide && chosen && !act.isPending) act.mutate(chosen);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>Before it can be decided, somebody has to look into it. No money moves by that.</p>
      <div>
        <Button
          tone="accent"
          reason={mayDecide}
          isBusy={act.isPending && act.variables === me.apiKeyName}
          onClick={() => act.mutate(me.apiKeyName)}
        >
          I take it ({me.apiKeyName})
        </Button>
      </div>
      <div className="dispute-assign">
        <TextField
          label="Or somebody else"
          placeholder="A name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          reason={mayDecide ?? (chosen ? null : 'Write a name first.')}
          isBusy={act.isPending && act.variables === chosen}
        >
          Assign
        </Button>
      </div>
      {mayDecide ? <p className="soft">{mayDecide}</p> : null}
      {act.error ? <Trouble title="The dispute was not taken up" error={act.error} /> : null}
    </form>
  );
};

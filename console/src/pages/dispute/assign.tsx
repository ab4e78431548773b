// Assigns a dispute: to the signed-in key, or to any name.

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
      title: `Assigned to ${isolated(assignedTo ?? '')}`,
      text: 'Next: review the evidence, then resolve the dispute.',
    }),
    failed: 'The dispute was not assigned',
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
      <p>A dispute must be assigned before it can be resolved. No money moves.</p>
      <div>
        <Button
          tone="accent"
          reason={mayDecide}
          isBusy={act.isPending && act.variables === me.apiKeyName}
          onClick={() => act.mutate(me.apiKeyName)}
        >
          Assign to me ({me.apiKeyName})
        </Button>
      </div>
      <div className="dispute-assign">
        <TextField label="Assignee" placeholder="Name" value={name} onChange={(event) => setName(event.target.value)} />
        <Button
          type="submit"
          reason={mayDecide ?? (chosen ? null : 'Enter a name first.')}
          isBusy={act.isPending && act.variables === chosen}
        >
          Assign
        </Button>
      </div>
      {mayDecide ? <p className="soft">{mayDecide}</p> : null}
      {act.error ? <Trouble title="The dispute was not assigned" error={act.error} /> : null}
    </form>
  );
};

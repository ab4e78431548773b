// Assigns a dispute: to the signed-in key, or to any name.

import type { DisputeWithOrder } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useClient, useDenial, useSession } from '../../session.tsx';

export const AssignForm = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const client = useClient();
  const { me } = useSession();
  const supportDenial = useDenial('support');
  const [name, setName] = useState('');
  const act = useAction<DisputeWithOrder, string>({
    run: (assignedTo) => client.disputes.assign(dispute.id, { assignedTo }),
    done: ({ assignedTo }) => ({
      title: `Assigned to ${isolateBidi(assignedTo ?? '')}`,
      text: 'Next: review the evidence, then resolve the dispute.',
    }),
    failed: 'The dispute was not assigned',
    touches: [['disputes'], ['orders']],
    quiet: true,
  });
  const chosen = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!supportDenial && chosen && !act.isPending) act.mutate(chosen);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>A dispute must be assigned before it can be resolved. No money moves.</p>
      <div>
        <Button
          tone="accent"
          reason={supportDenial}
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
          reason={supportDenial ?? (chosen ? null : 'Enter a name first.')}
          isBusy={act.isPending && act.variables === chosen}
        >
          Assign
        </Button>
      </div>
      {supportDenial ? <p className="soft">{supportDenial}</p> : null}
      {act.error ? <ErrorNotice title="The dispute was not assigned" error={act.error} /> : null}
    </form>
  );
};

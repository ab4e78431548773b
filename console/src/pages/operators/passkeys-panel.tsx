// The own passkeys: register another one, and remove one. The server keeps the last way to sign in.

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api.ts';
import { askConsole } from '../../console-routes.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import type { Exported } from '../../parts/lists/export-rows.ts';
import { wholeList } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { makePasskey, whyNoPasskey } from '../../shell/passkey.ts';

type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

const KEY = ['passkeys'];

const PASSKEY_EXPORT: Exported<Passkey> = {
  file: 'passkeys',
  columns: [
    { name: 'Passkey', value: ({ id }) => id },
    { name: 'Name', value: ({ name }) => name },
    { name: 'Registered', time: ({ createdAt }) => createdAt },
    { name: 'Last used', time: ({ lastUsedAt }) => lastUsedAt },
  ],
};

export const PasskeysPanel = ({ csrfToken }: { readonly csrfToken: string }) => {
  const [isAdding, setAdding] = useState(false);
  const query = useQuery({ queryKey: KEY, queryFn: () => askConsole<readonly Passkey[]>('GET /console/passkeys') });
  const paged = wholeList(query);
  const remove = useAction({
    run: ({ id }: Passkey) => askConsole(`DELETE /console/passkeys/${encodeURIComponent(id)}`, { csrfToken }),
    done: (_, { name }) => ({ title: `Passkey ${isolateBidi(name)} removed`, text: 'Remove it on the device too.' }),
    failed: 'The passkey was not removed',
    touches: [KEY, ['audit']],
  });
  const columns: readonly Column<Passkey>[] = [
    { name: 'Name', cell: ({ name }) => isolateBidi(name) },
    { name: 'Registered', cell: ({ createdAt }) => <Time value={createdAt} /> },
    { name: 'Last used', phone: 'under', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
    {
      name: 'Actions',
      align: 'end',
      cell: (passkey) => (
        <Button aria-label={`Remove the passkey ${passkey.name}`} onClick={() => remove.mutate(passkey)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title="Passkeys"
      flush
      actions={
        <>
          <ExportButton label="Passkeys" paged={paged} exported={PASSKEY_EXPORT} />
          <Button icon="keys" reason={whyNoPasskey()} onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        </>
      }
    >
      <DataTable
        label="Passkeys"
        columns={columns}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="No passkeys">A passkey signs you in with your device instead of a password.</Empty>}
      />
      {isAdding ? <AddPasskey csrfToken={csrfToken} onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
};

type AddProps = { readonly csrfToken: string; readonly onClose: () => void };

const AddPasskey = ({ csrfToken, onClose }: AddProps) => {
  const [name, setName] = useState('');
  const act = useAction({
    run: async (named: string) => {
      const options = await askConsole('POST /console/passkeys/options', { csrfToken });
      const body = { passkey: await makePasskey(options), name: named };
      return askConsole<Passkey>('POST /console/passkeys', { csrfToken, body });
    },
    done: (added) => ({ title: `Passkey ${isolateBidi(added.name)} added`, text: 'Use it at the next sign-in.' }),
    failed: 'The passkey was not added',
    touches: [KEY, ['audit']],
    quiet: true,
    onDone: onClose,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && name.trim() !== '') act.mutate(name.trim());
  };
  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="Add passkey">
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          autoFocus
          value={name}
          hint="Such as “Work laptop”. The browser asks for the device next."
          error={act.error ? errorMessage(act.error) : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="accent"
            isBusy={act.isPending}
            reason={name.trim() === '' ? 'Enter a name first.' : null}
          >
            Add passkey
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

// The marketplaces of this service, and in which of them the master key acts now.

import type { Marketplace } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Empty } from '../../parts/notice.tsx';
import { usePaged } from '../../parts/paged.ts';
import { Panel } from '../../parts/panel.tsx';
import { useReason } from '../../parts/rights.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { isKeyKept, openSession, useDoor, useSession } from '../../session.tsx';

const LOOK_EVERY_MS = 15_000;

export const Marketplaces = () => {
  const { client, credentials, me } = useSession();
  const { enter } = useDoor();
  const reason = useReason('master');
  const paged = usePaged({
    queryKey: ['marketplaces', 'list'],
    isEnabled: reason === null,
    everyMs: LOOK_EVERY_MS,
    list: (cursor) => client.marketplaces.list(cursor ? { cursor } : {}),
  });
  const act = useAction({
    run: (marketplaceId: string) => openSession({ apiKey: credentials.apiKey, marketplaceId }),
    done: ({ me: now }) => ({
      title: `You act in ${now.marketplaceId}`,
      text: 'Every page shows this marketplace now.',
    }),
    failed: 'The marketplace was not changed',
    quiet: true,
    onDone: (session) => enter(session, isKeyKept()),
  });

  if (reason) {
    return (
      <Panel title="Marketplaces">
        <p>
          You act in <strong>{me.marketplaceId}</strong>, the only marketplace of your key.
        </p>
        <p className="soft">Only the master key sees the others and can act in them. Sign in with it.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Marketplaces" flush>
      <DataTable
        label="Marketplaces"
        columns={[
          { name: 'Marketplace', cell: ({ id }) => <strong className="mono">{id}</strong> },
          { name: 'Users', align: 'end', cell: ({ users }) => <Count value={users} /> },
          { name: 'Orders', align: 'end', cell: ({ orders }) => <Count value={orders} /> },
          { name: 'Keys', align: 'end', cell: ({ keys }) => <Count value={keys} /> },
          { name: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
          {
            name: 'You',
            align: 'end',
            cell: (each) => (
              <Here
                marketplace={each}
                isHere={each.id === me.marketplaceId}
                act={act.mutate}
                busyWith={busyWith(act)}
              />
            ),
          },
        ]}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="There is no marketplace yet">The first begins with its first key.</Empty>}
      />
      <Another onGo={act.mutate} isBusy={act.isPending} error={act.error ? sentenceOf(act.error) : undefined} />
    </Panel>
  );
};

const busyWith = (act: { isPending: boolean; variables: string | undefined }): string | null =>
  act.isPending ? (act.variables ?? null) : null;

const Count = ({ value }: { readonly value: number }) => <span className="amount">{value.toLocaleString('en')}</span>;

type HereProps = {
  readonly marketplace: Marketplace;
  readonly isHere: boolean;
  readonly act: (id: string) => void;
  readonly busyWith: string | null;
};

const Here = ({ marketplace: { id }, isHere, act, busyWith: busy }: HereProps) =>
  isHere ? (
    <Status value="HERE" tone="good" words="You act here" />
  ) : (
    <Button aria-label={`Act here: ${id}`} isBusy={busy === id} onClick={() => act(id)}>
      Act here
    </Button>
  );

type AnotherProps = {
  readonly onGo: (id: string) => void;
  readonly isBusy: boolean;
  readonly error: string | undefined;
};

const Another = ({ onGo, isBusy, error }: AnotherProps) => {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && typed.trim() !== '') onGo(typed.trim());
  };
  return (
    <form className="keys-another" onSubmit={submit}>
      <TextField
        label="Another marketplace"
        value={typed}
        placeholder="mkt_…"
        hint="It begins as soon as something is written in it."
        error={error}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" isBusy={isBusy} reason={typed.trim() === '' ? 'Type its id first.' : null}>
        Act in it
      </Button>
    </form>
  );
};

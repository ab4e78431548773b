// The marketplaces of this service. The master key can switch between them.

import type { Marketplace } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { isKeyKept, openSession, useDenial, useSession, useSessionControl } from '../../session.tsx';

const POLL_MS = 15_000;

export const Marketplaces = () => {
  const { client, credentials, me } = useSession();
  const { signIn } = useSessionControl();
  const reason = useDenial('master');
  const paged = usePaged({
    queryKey: ['marketplaces', 'list'],
    isEnabled: reason === null,
    everyMs: POLL_MS,
    list: (cursor) => client.marketplaces.list(cursor ? { cursor } : {}),
  });
  const act = useAction({
    run: (marketplaceId: string) => openSession({ apiKey: credentials.apiKey, marketplaceId }),
    done: ({ me: now }) => ({
      title: `Switched to ${now.marketplaceId}`,
      text: 'All pages now show this marketplace.',
    }),
    failed: 'The marketplace was not switched',
    quiet: true,
    onDone: (session) => signIn(session, isKeyKept()),
  });

  if (reason) {
    return (
      <Panel title="Marketplaces">
        <p>
          Current marketplace: <strong>{me.marketplaceId}</strong>. Your key has access to this marketplace only.
        </p>
        <p className="soft">Sign in with the master key to view other marketplaces.</p>
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
          { name: 'Float', align: 'end', cell: ({ float }) => <Amount value={float.held} currency={float.currency} /> },
          { name: 'Pending payouts', align: 'end', cell: ({ float }) => <Amount value={float.pendingPayouts} /> },
          { name: 'Credit line', align: 'end', cell: ({ float }) => <CreditLine float={float} /> },
          { name: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
          {
            name: 'Access',
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
        empty={<Empty title="No marketplaces yet">A marketplace is created with its first key.</Empty>}
      />
      <Another onGo={act.mutate} isBusy={act.isPending} error={act.error ? errorMessage(act.error) : undefined} />
    </Panel>
  );
};

const busyWith = (act: { isPending: boolean; variables: string | undefined }): string | null =>
  act.isPending ? (act.variables ?? null) : null;

const Count = ({ value }: { readonly value: number }) => <span className="amount">{value.toLocaleString('en')}</span>;

/** A used line is paid with the money of others, so it stands out. */
const CreditLine = ({ float: { creditLine, creditUsed } }: Pick<Marketplace, 'float'>) =>
  creditUsed === '0.00' ? (
    <Amount value={creditLine} />
  ) : (
    <>
      <Amount value={creditLine} tone="bad" /> <span className="soft">{creditUsed} used</span>
    </>
  );

type HereProps = {
  readonly marketplace: Marketplace;
  readonly isHere: boolean;
  readonly act: (id: string) => void;
  readonly busyWith: string | null;
};

const Here = ({ marketplace: { id }, isHere, act, busyWith: busy }: HereProps) =>
  isHere ? (
    <Status value="HERE" tone="good" words="Current" />
  ) : (
    <Button aria-label={`Switch to ${id}`} isBusy={busy === id} onClick={() => act(id)}>
      Switch
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
        hint="A new marketplace is created with its first record."
        error={error}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" isBusy={isBusy} reason={typed.trim() === '' ? 'Enter its ID first.' : null}>
        Switch
      </Button>
    </form>
  );
};

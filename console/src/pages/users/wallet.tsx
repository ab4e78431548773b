// The wallet of a user: its ledger balance, its deposit address and its payments.

import type { DepositAddress, Wallet, WalletTransaction, WalletWithBalance } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isRefusal } from '../../api.ts';
import { TRANSACTION_EXPORT, WALLET_EXPORT } from '../../exports/users.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { amountOf, negate } from '../../parts/money/amounts.ts';
import { Empty } from '../../parts/notice.tsx';
import { Facts, Figure, Panel } from '../../parts/panel.tsx';
import { SimulatedTime } from '../../parts/simulated-time.tsx';
import { Status, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useConfig } from '../../session.tsx';

const OPENING_MS = 3_000;
const KEY_WORDS = { INVISIBLE: 'Stored encrypted', EXTERNAL: 'Held by the user' } as const;

/** The wallet is created shortly after the user. Until then the missing wallet is not an error. */
const orNone = async <Data,>(request: Promise<Data>): Promise<Data | null> =>
  request.catch((error: unknown) => {
    if (isRefusal(error) && error.code === 'WALLET_NOT_FOUND') return null;
    throw error;
  });

export const WalletPanels = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const wallet = useQuery({
    queryKey: ['users', userId, 'wallet'],
    queryFn: () => orNone(client.wallets.get(userId)),
    // The activation on the ledger emits no event.
    refetchInterval: ({ state }) => (state.data?.isActive === false ? OPENING_MS : false),
  });
  return (
    <Loaded query={wallet} name="Wallet">
      {(found) =>
        found === null ? (
          <Panel title="Wallet">
            <Empty title="No wallet yet">The wallet is created automatically, shortly after the user.</Empty>
          </Panel>
        ) : (
          <>
            <div className="columns">
              <WalletPanel wallet={found} />
              <DepositPanel userId={userId} />
            </div>
            <LinkedPanel userId={userId} />
            <TransactionsPanel userId={userId} address={found.publicKey} />
          </>
        )
      }
    </Loaded>
  );
};

const WalletPanel = ({ wallet }: { readonly wallet: WalletWithBalance }) => (
  <Panel
    title="Ledger balance"
    actions={
      <Status
        value={wallet.isActive ? 'ACTIVE' : 'PENDING'}
        words={wallet.isActive ? 'Active on the ledger' : 'Activating on the ledger'}
      />
    }
  >
    <div className="stack">
      <div className="users-figures">
        <Figure name="USDC">
          <Amount value={wallet.balance.usdc} places={7} size="figure" />
        </Figure>
        <Figure name="XLM">
          <Amount value={wallet.balance.xlm} places={7} size="figure" />
        </Figure>
      </div>
      <Facts
        rows={[
          ['Address', <Id key="address" value={wallet.publicKey} link={false} />],
          ['Key', KEY_WORDS[wallet.type]],
          ['Created', <Time key="made" value={wallet.createdAt} exact />],
        ]}
      />
    </div>
  </Panel>
);

const DepositPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['users', userId, 'deposit'],
    queryFn: () => client.wallets.deposit(userId),
  });
  return (
    <Panel title="Deposit address">
      <Loaded query={query} name="Deposit address">
        {(deposit) => <DepositFacts deposit={deposit} userId={userId} />}
      </Loaded>
    </Panel>
  );
};

const DepositFacts = ({ deposit, userId }: { readonly deposit: DepositAddress; readonly userId: string }) => {
  const isSandbox = useConfig()?.sandbox === true;
  return (
    <div className="stack">
      <p className="users-address">
        <Id value={deposit.address} link={false} whole />
      </p>
      <p className="soft">{deposit.instructions}</p>
      <Facts
        rows={[
          ['Asset', deposit.asset.code],
          ['Issuer', <Id key="issuer" value={deposit.asset.issuer} link={false} />],
          ['Network', deposit.network],
        ]}
      />
      {isSandbox ? (
        <p>
          Sandbox: <Link to={`/sandbox?userId=${userId}#faucet`}>send test money to this address</Link>.
        </p>
      ) : null}
    </div>
  );
};

const LINKED: readonly Column<Wallet>[] = [
  { name: 'Address', cell: ({ publicKey }) => <Id value={publicKey} link={false} /> },
  { name: 'Key', phone: 'under', cell: ({ type }) => KEY_WORDS[type] },
  {
    name: 'Proof',
    phone: 'value',
    cell: ({ type, provedAt }) => {
      if (type === 'INVISIBLE') return null;
      return <Status value={provedAt ? 'SUCCESS' : 'PENDING'} words={provedAt ? 'Proved' : 'Not proved'} />;
    },
  },
  {
    name: 'Proved',
    phone: 'time',
    align: 'end',
    cell: ({ provedAt }) => (provedAt ? <Time value={provedAt} /> : null),
  },
];

/** The custodial wallet and the wallets that the user linked, each with its proof. */
const LinkedPanel = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['users', userId, 'wallets'],
    list: (page) => client.wallets.list(userId, page),
  });
  return (
    <Panel title="Wallets" flush actions={<ExportButton label="Wallets" paged={paged} exported={WALLET_EXPORT} />}>
      <DataTable
        label="Wallets"
        columns={LINKED}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="No wallets yet">Wallets of the user appear here.</Empty>}
      />
    </Panel>
  );
};

type TransactionsProps = { readonly userId: string; readonly address: string };

const TransactionsPanel = ({ userId, address }: TransactionsProps) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['users', userId, 'transactions'],
    list: (page) => client.wallets.transactions(userId, page),
  });
  return (
    <Panel
      title="Ledger payments"
      flush
      actions={<ExportButton label="Payments" paged={paged} exported={TRANSACTION_EXPORT} />}
    >
      <DataTable
        label="Payments"
        columns={columnsFor(address)}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="No payments yet">Payments to and from the address appear here.</Empty>}
      />
    </Panel>
  );
};

const columnsFor = (address: string): readonly Column<WalletTransaction>[] => [
  { name: 'Type', cell: ({ type }) => statusWords(type) },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, asset, from }) => {
      const units = amountOf(amount);
      return <Amount value={from === address ? negate(units) : units} currency={asset.code} places={7} signed />;
    },
  },
  {
    name: 'Counterparty',
    phone: 'under',
    cell: ({ from, to }) => <Id value={from === address ? to : from} link={false} />,
  },
  { name: 'Transaction', cell: ({ hash }) => <Id value={hash} link={false} /> },
  {
    name: 'Result',
    cell: ({ successful }) => <Status value={successful ? 'SUCCESS' : 'FAILURE'} />,
  },
  { name: 'Time', phone: 'time', align: 'end', cell: ({ createdAt }) => <SimulatedTime value={createdAt} /> },
];

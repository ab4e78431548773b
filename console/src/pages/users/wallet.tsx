// A user's wallet: what the ledger shows at its address, how to pay in, and every payment that touched it.

import type { DepositAddress, WalletTransaction, WalletWithBalance } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isRefusal } from '../../api.ts';
import { Amount } from '../../parts/amount.tsx';
import { amountOf, negate } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Empty } from '../../parts/notice.tsx';
import { usePaged } from '../../parts/paged.ts';
import { Facts, Figure, Panel } from '../../parts/panel.tsx';
import { Status, statusWords } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { useConfig } from '../../shell/config.ts';

const OPENING_MS = 3_000;

/** Made a moment after the user: until then there is none, and that is no trouble. */
const orNone = async <Thing,>(asked: Promise<Thing>): Promise<Thing | null> =>
  asked.catch((error: unknown) => {
    if (isRefusal(error) && error.code === 'WALLET_NOT_FOUND') return null;
    throw error;
  });

export const WalletPanels = ({ userId }: { readonly userId: string }) => {
  const client = useClient();
  const wallet = useQuery({
    queryKey: ['users', userId, 'wallet'],
    queryFn: () => orNone(client.wallets.get(userId)),
    // No event tells that the ledger has opened it.
    refetchInterval: ({ state }) => (state.data?.isActive === false ? OPENING_MS : false),
  });
  return (
    <Loaded query={wallet} name="The wallet">
      {(found) =>
        found === null ? (
          <Panel title="Wallet">
            <Empty title="No wallet yet">
              It is made by itself within a moment of the user; this page then shows it.
            </Empty>
          </Panel>
        ) : (
          <>
            <div className="columns">
              <WalletPanel wallet={found} />
              <DepositPanel userId={userId} />
            </div>
            <TransactionsPanel userId={userId} address={found.publicKey} />
          </>
        )
      }
    </Loaded>
  );
};

const WalletPanel = ({ wallet }: { readonly wallet: WalletWithBalance }) => (
  <Panel
    title="On the ledger now"
    actions={
      <Status
        value={wallet.isActive ? 'ACTIVE' : 'PENDING'}
        words={wallet.isActive ? 'Can receive' : 'Being opened on the ledger'}
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
          ['Key', wallet.type === 'INVISIBLE' ? 'Kept here, sealed' : 'Held by the user'],
          ['Made', <Time key="made" value={wallet.createdAt} exact />],
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
    <Panel title="To pay in">
      <Loaded query={query} name="The deposit address">
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
          ['Issued by', <Id key="issuer" value={deposit.asset.issuer} link={false} />],
          ['Network', deposit.network],
        ]}
      />
      {isSandbox ? (
        <p>
          No real money here: <Link to={`/sandbox?userId=${userId}#faucet`}>pay play money to this address</Link>.
        </p>
      ) : null}
    </div>
  );
};

type TransactionsProps = { readonly userId: string; readonly address: string };

const TransactionsPanel = ({ userId, address }: TransactionsProps) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['users', userId, 'transactions'],
    list: (cursor) => client.wallets.transactions(userId, cursor ? { cursor } : {}),
  });
  return (
    <Panel title="Payments at this address" flush>
      <DataTable
        label="Payments"
        columns={columnsFor(address)}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="Nothing was paid yet">Payments to and from the address appear here, newest first.</Empty>}
      />
    </Panel>
  );
};

const columnsFor = (address: string): readonly Column<WalletTransaction>[] => [
  { name: 'Kind', cell: ({ type }) => statusWords(type) },
  {
    name: 'Amount',
    align: 'end',
    cell: ({ amount, asset, from }) => {
      const units = amountOf(amount);
      return <Amount value={from === address ? negate(units) : units} currency={asset.code} places={7} signed />;
    },
  },
  {
    name: 'With',
    cell: ({ from, to }) => <Id value={from === address ? to : from} link={false} />,
  },
  { name: 'Transaction', cell: ({ hash }) => <Id value={hash} link={false} /> },
  {
    name: 'Result',
    cell: ({ successful }) => <Status value={successful ? 'SUCCESS' : 'FAILURE'} />,
  },
  { name: 'When', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

// The balances of a user by currency, with manual credit and debit, and the comparison with the ledger.

import '../../styles/table.css';
import type { Balance, CurrencyCode, User } from '@holdfast/sdk';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { balanceKey, CURRENCIES } from '../../parts/money/balances.ts';
import { ErrorNotice, Skeleton } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { LedgerComparisonPanel } from './ledger-comparison.tsx';
import { type Direction, MoveBalance } from './move-balance.tsx';

export const BalancesPanel = ({ user }: { readonly user: User }) => {
  const client = useClient();
  const treasuryDenial = useDenial('treasury');
  const [moving, setMoving] = useState<Direction | null>(null);
  const queries = useQueries({
    queries: CURRENCIES.map((currency) => ({
      queryKey: balanceKey(user.id, currency),
      queryFn: () => client.balances.get(user.id, { currency }),
    })),
  });
  const failed = queries.find((query) => query.isError && query.data === undefined);
  return (
    <div className="stack">
      <Panel
        title="Balances"
        flush
        actions={
          <>
            <Button icon="topups" reason={treasuryDenial} onClick={() => setMoving('credit')}>
              Credit
            </Button>
            <Button icon="withdrawals" reason={treasuryDenial} onClick={() => setMoving('debit')}>
              Debit
            </Button>
          </>
        }
      >
        {failed ? (
          <div className="panel-body">
            <ErrorNotice
              title="Balances could not be loaded"
              error={failed.error}
              again={() => void Promise.all(queries.map((query) => query.refetch()))}
            />
          </div>
        ) : (
          <BalanceTable rows={CURRENCIES.map((currency, at) => ({ currency, balance: queries[at]?.data }))} />
        )}
      </Panel>
      <LedgerComparisonPanel userId={user.id} />
      <MoveBalance user={user} direction={moving} onClose={() => setMoving(null)} />
    </div>
  );
};

type Row = { readonly currency: CurrencyCode; readonly balance: Balance | undefined };

const BalanceTable = ({ rows }: { readonly rows: readonly Row[] }) => (
  <table className="table users-balances">
    <caption className="hidden-text">Balances by currency</caption>
    <thead>
      <tr>
        <th scope="col">Currency</th>
        <th scope="col" data-align="end">
          Available
        </th>
        <th scope="col" data-align="end">
          Reserved
        </th>
        <th scope="col" data-align="end">
          Total
        </th>
        <th scope="col" data-align="end">
          Updated
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ currency, balance }) => (
        <tr key={currency}>
          <td data-label="Currency">
            <strong>{currency}</strong>
          </td>
          {balance ? <BalanceCells balance={balance} /> : <WaitingCells />}
        </tr>
      ))}
    </tbody>
  </table>
);

const BalanceCells = ({ balance }: { readonly balance: Balance }) => (
  <>
    <td data-label="Available" data-align="end">
      <strong>
        <Amount value={balance.available} />
      </strong>
    </td>
    <td data-label="Reserved" data-align="end">
      <Amount value={balance.reserved} />
    </td>
    <td data-label="Total" data-align="end">
      <Amount value={balance.total} />
    </td>
    <td data-label="Updated" data-align="end">
      <Time value={balance.updatedAt} />
    </td>
  </>
);

const WaitingCells = () => (
  <>
    {['Available', 'Reserved', 'Total', 'Updated'].map((name) => (
      <td key={name} data-label={name} data-align="end">
        <Skeleton />
      </td>
    ))}
  </>
);

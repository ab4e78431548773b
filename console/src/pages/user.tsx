// One user: balances, statement, wallet, reservations, orders, top-ups and withdrawals.

import '../styles/users.css';
import '../styles/payments.css';
import type { User } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { userName } from '../parts/names.tsx';
import { NotesPanel } from '../parts/notes.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Status } from '../parts/status.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useClient } from '../session.tsx';
import { AboutPanel } from './users/about.tsx';
import { BalancesPanel } from './users/balances.tsx';
import { OrdersOf, TopupsOf, WithdrawalsOf } from './users/records.tsx';
import { ReservationsPanel } from './users/reservations.tsx';
import { StatementPanel } from './users/statement.tsx';
import { StatusAction } from './users/status-action.tsx';
import { WalletPanels } from './users/wallet.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({ queryKey: ['users', id], queryFn: () => client.users.get(id) });
  return (
    <>
      <PageHeader
        title={query.data ? userName(query.data) : 'User'}
        badge={query.data ? <Status value={query.data.status} /> : null}
        parent={{ name: 'Users', to: '/users' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <StatusAction user={query.data} /> : null}
      />
      <Loaded query={query} name="User">
        {(user) => <UserBody key={user.id} user={user} />}
      </Loaded>
    </>
  );
};

const UserBody = ({ user }: { readonly user: User }) => {
  const { id } = user;
  const tabs: Tab[] = [
    { id: 'statement', name: 'Statement', body: () => <StatementPanel userId={id} /> },
    { id: 'wallet', name: 'Wallet', body: () => <WalletPanels userId={id} /> },
    { id: 'reservations', name: 'Reservations', body: () => <ReservationsPanel userId={id} /> },
    { id: 'orders', name: 'Orders', body: () => <OrdersOf userId={id} /> },
    { id: 'topups', name: 'Top-ups', body: () => <TopupsOf userId={id} /> },
    { id: 'withdrawals', name: 'Withdrawals', body: () => <WithdrawalsOf userId={id} /> },
    { id: 'notes', name: 'Notes', body: () => <NotesPanel resourceType="user" resourceId={id} /> },
  ];
  return (
    <>
      {user.status === 'SUSPENDED' ? (
        <Notice title="Suspended" tone="warn">
          <p>
            The balances are unchanged. New orders, top-ups and withdrawals are refused until the user is reactivated.
          </p>
        </Notice>
      ) : null}
      <div className="users-top">
        <BalancesPanel user={user} />
        <AboutPanel user={user} />
      </div>
      <Tabs label="User records" tabs={tabs} />
    </>
  );
};

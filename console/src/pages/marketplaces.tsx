// The marketplaces of this service, for the master key: float, credit lines, payment accounts and daily limits.

import { MARKETPLACE_EXPORT } from '../exports/payments.ts';
import { ExportButton } from '../parts/lists/export-button.tsx';
import '../styles/marketplaces.css';
import type { Marketplace } from '@holdfast/sdk';
import { Link } from 'react-router';
import { type Column, DataTable } from '../parts/lists/data-table.tsx';
import { usePaged } from '../parts/lists/paged.ts';
import { Amount } from '../parts/money/amount.tsx';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { useClient, useDenial, useSession } from '../session.tsx';
import { CreditLine, LimitsToday, PaymentAccount, POLL_MS } from './marketplaces/figures.tsx';
import { MasterOnly } from './marketplaces/master-only.tsx';
import { CurrentMark, SwitchForm } from './marketplaces/switch.tsx';

export const Component = () => {
  const reason = useDenial('master');
  return (
    <>
      <PageHeader
        title="Marketplaces"
        text="Float at the payment provider, credit lines, payment accounts and daily limits."
      />
      {reason ? <MasterOnly /> : <MarketplacePanel />}
    </>
  );
};

const COLUMNS: readonly Column<Marketplace>[] = [
  {
    name: 'Marketplace',
    cell: ({ id }) => <Name id={id} />,
  },
  { name: 'Float', align: 'end', cell: ({ float }) => <Amount value={float.held} currency={float.currency} /> },
  { name: 'Promised', align: 'end', cell: ({ float }) => <Amount value={float.pendingPayouts} /> },
  { name: 'Free', phone: 'value', align: 'end', cell: ({ float }) => <Amount value={float.available} /> },
  { name: 'Credit line used', align: 'end', cell: CreditLine },
  { name: 'Payment account', phone: 'under', cell: PaymentAccount },
  { name: 'Limits today', cell: LimitsToday },
];

const Name = ({ id }: Pick<Marketplace, 'id'>) => {
  const { me } = useSession();
  return (
    <span className="marketplaces-name">
      <Link className="mono" to={`/marketplaces/${id}`}>
        {id}
      </Link>
      {id === me.marketplaceId ? <CurrentMark /> : null}
    </span>
  );
};

const MarketplacePanel = () => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['marketplaces', 'list'],
    everyMs: POLL_MS,
    list: (page) => client.marketplaces.list(page),
  });
  return (
    <Panel
      title="All marketplaces"
      flush
      actions={<ExportButton label="Marketplaces" paged={paged} exported={MARKETPLACE_EXPORT} />}
    >
      <DataTable
        label="Marketplaces"
        columns={COLUMNS}
        paged={paged}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/marketplaces/${id}`}
        empty={<Empty title="No marketplaces yet">A marketplace is created with its first key.</Empty>}
      />
      <SwitchForm />
    </Panel>
  );
};

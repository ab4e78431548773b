// One marketplace, for the master key: what it has at the payment provider, and what the operator lets it do.

import '../styles/marketplaces.css';
import '../styles/payments.css';
import type { Marketplace } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useClient, useDenial } from '../session.tsx';
import { AccountPanel } from './marketplaces/account-panel.tsx';
import { CreditLinePanel } from './marketplaces/credit-line-panel.tsx';
import { POLL_MS } from './marketplaces/figures.tsx';
import { FloatPanel } from './marketplaces/float-panel.tsx';
import { LimitsPanel } from './marketplaces/limits-panel.tsx';
import { MasterOnly } from './marketplaces/master-only.tsx';
import { SwitchButton } from './marketplaces/switch.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const reason = useDenial('master');
  const query = useQuery({
    queryKey: ['marketplaces', id],
    queryFn: () => client.marketplaces.get(id),
    enabled: reason === null,
    refetchInterval: POLL_MS,
  });
  return (
    <>
      <PageHeader
        title={id}
        parent={{ name: 'Marketplaces', to: '/marketplaces' }}
        text={query.data ? countsOf(query.data) : null}
        actions={query.data ? <SwitchButton id={id} /> : null}
      />
      {reason ? (
        <MasterOnly />
      ) : (
        <Loaded query={query} name="Marketplace">
          {(marketplace) => <Body key={marketplace.id} marketplace={marketplace} />}
        </Loaded>
      )}
    </>
  );
};

const countsOf = ({ users, orders, keys }: Marketplace): string =>
  [
    ['Users', users],
    ['orders', orders],
    ['keys', keys],
  ]
    .map(([name, count]) => `${name}: ${count?.toLocaleString('en')}`)
    .join(', ');

const Body = ({ marketplace }: { readonly marketplace: Marketplace }) => (
  <div className="marketplaces-panels">
    <FloatPanel marketplace={marketplace} />
    <CreditLinePanel marketplace={marketplace} />
    <LimitsPanel marketplace={marketplace} />
    <AccountPanel marketplace={marketplace} />
  </div>
);

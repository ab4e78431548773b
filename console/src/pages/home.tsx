// The home page: proof of balances, where the money is, what needs attention, and recent events.

import '../styles/home.css';
import { PageHeader } from '../parts/page-header.tsx';
import { MoneyPanels } from './home/money.tsx';
import { OpenWorkPanel } from './home/open-work.tsx';
import { ProofPanel } from './home/proof.tsx';
import { RecentEvents } from './home/recent-events.tsx';

export const Component = () => (
  <>
    <PageHeader title="Home" />
    <ProofPanel />
    <MoneyPanels />
    <div className="columns-wide">
      <OpenWorkPanel />
      <RecentEvents />
    </div>
  </>
);

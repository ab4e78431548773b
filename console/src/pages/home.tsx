// The first page: does the money add up, where is it, what waits for somebody, and what is happening now.

import '../styles/home.css';
import { PageHeader } from '../parts/page-header.tsx';
import { MoneyPanels } from './home/money.tsx';
import { OpenWorkPanel } from './home/open-work.tsx';
import { ProofPanel } from './home/proof.tsx';
import { Ticker } from './home/ticker.tsx';

export const Component = () => (
  <>
    <PageHeader title="Home" />
    <ProofPanel />
    <MoneyPanels />
    <div className="columns-wide">
      <OpenWorkPanel />
      <Ticker />
    </div>
  </>
);

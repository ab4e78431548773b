// The reports for bookkeeping: the closing of a period, fee income, payouts and open items. Each can be saved as CSV and printed.

import '../../styles/reports.css';
import { PageHeader } from '../../parts/page-header.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { ClosingTab } from './closing.tsx';
import { FeesTab } from './fees.tsx';
import { OpenItemsTab } from './open-items.tsx';
import { PayoutsTab } from './payouts.tsx';

const TABS = [
  { id: 'closing', name: 'Closing', body: () => <ClosingTab /> },
  { id: 'fees', name: 'Fee income', body: () => <FeesTab /> },
  { id: 'payouts', name: 'Payouts', body: () => <PayoutsTab /> },
  { id: 'open-items', name: 'Open items', body: () => <OpenItemsTab /> },
];

export const Component = () => (
  <>
    <PageHeader title="Reports" text="Figures from the books, for accountants. Days and months are in UTC." />
    <Tabs label="Reports" tabs={TABS} />
  </>
);

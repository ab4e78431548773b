// Every page of the console: its path, its name and its place in the navigation. Rows with an icon are in the navigation,
// in this order. This file must never import a page: everything imports it. router.tsx loads the pages.

import type { IconName } from './parts/icon.tsx';

type PageRow = {
  /** Below /console; empty for the first page. */
  readonly path: string;
  readonly name: string;
  readonly icon?: IconName;
  /** True for the first page of a group in the navigation. */
  readonly startsGroup?: boolean;
  /** Shown only while the providers are simulators. */
  readonly sandboxOnly?: boolean;
  /** Shown only to the master key. */
  readonly masterOnly?: boolean;
};

const ROWS = [
  { path: '', name: 'Home', icon: 'home' },
  { path: 'orders', name: 'Orders', icon: 'orders' },
  { path: 'orders/:id', name: 'Order' },
  { path: 'disputes', name: 'Disputes', icon: 'disputes' },
  { path: 'disputes/:id', name: 'Dispute' },
  { path: 'users', name: 'Users', icon: 'users' },
  { path: 'users/:id', name: 'User' },
  { path: 'topups', name: 'Top-ups', icon: 'topups' },
  { path: 'topups/:id', name: 'Top-up' },
  { path: 'withdrawals', name: 'Withdrawals', icon: 'withdrawals' },
  { path: 'withdrawals/:id', name: 'Withdrawal' },
  { path: 'policies', name: 'Policies', icon: 'policies' },
  { path: 'policies/:id', name: 'Policy' },
  { path: 'approvals', name: 'Approvals', icon: 'approvals' },
  { path: 'approvals/rules', name: 'Approval rules' },
  { path: 'approvals/:id', name: 'Approval' },
  { path: 'reports', name: 'Reports', icon: 'reports', startsGroup: true },
  { path: 'provider-statements', name: 'Provider statements', icon: 'orders' },
  { path: 'provider-statements/:id', name: 'Provider statement' },
  { path: 'breaks', name: 'Reconciliation', icon: 'breaks' },
  { path: 'events', name: 'Events', icon: 'events' },
  { path: 'webhooks', name: 'Webhooks', icon: 'webhooks' },
  { path: 'webhooks/deliveries', name: 'Webhook deliveries' },
  { path: 'webhooks/:id', name: 'Webhook endpoint' },
  { path: 'audit', name: 'Audit', icon: 'audit' },
  { path: 'operators', name: 'Operators', icon: 'operators', startsGroup: true },
  { path: 'operators/:id', name: 'Operator' },
  { path: 'account', name: 'Your account' },
  { path: 'keys', name: 'Keys', icon: 'keys' },
  { path: 'marketplaces', name: 'Marketplaces', icon: 'marketplaces', masterOnly: true },
  { path: 'marketplaces/:id', name: 'Marketplace' },
  { path: 'health', name: 'Health', icon: 'health' },
  { path: 'sandbox', name: 'Sandbox', icon: 'sandbox', sandboxOnly: true },
] as const satisfies readonly PageRow[];

export type PagePath = (typeof ROWS)[number]['path'];

export const PAGES: readonly (PageRow & { readonly path: PagePath })[] = ROWS;

type Viewer = { readonly isSandbox: boolean; readonly isMaster: boolean };

/** The pages with a place in the navigation. */
export const pagesFor = ({ isSandbox, isMaster }: Viewer) =>
  PAGES.filter((page) => page.icon && (isSandbox || !page.sandboxOnly) && (isMaster || !page.masterOnly));

const FOLDERS: Readonly<Record<string, PagePath>> = {
  ord_: 'orders',
  dsp_: 'disputes',
  usr_: 'users',
  top_: 'topups',
  wdr_: 'withdrawals',
  whe_: 'webhooks',
  pol_: 'policies',
  apr_: 'approvals',
  opr_: 'operators',
  pst_: 'provider-statements',
};

/** The path of the page about the record with this id; null when records of its kind have no page. */
export const pathOfId = (id: string): string | null => {
  const folder = FOLDERS[id.slice(0, 4)];
  return folder ? `/${folder}/${id}` : null;
};

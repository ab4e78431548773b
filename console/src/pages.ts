// Every page of the console: where it is, what it is called, and what loads it. Rows with an icon are in the navigation,
// in this order. A page module exports `Component`.

import type { ComponentType } from 'react';
import type { IconName } from './parts/icon.tsx';

export type PageRow = {
  /** Below /console; empty for the first page. */
  readonly path: string;
  readonly name: string;
  readonly load: () => Promise<{ Component: ComponentType }>;
  readonly icon?: IconName;
  /** Starts another group in the navigation. */
  readonly begins?: boolean;
  /** Only where the outside systems are toys. */
  readonly sandboxOnly?: boolean;
};

export const PAGES: readonly PageRow[] = [
  { path: '', name: 'Home', icon: 'home', load: () => import('./pages/home.tsx') },
  { path: 'orders', name: 'Orders', icon: 'orders', load: () => import('./pages/orders.tsx') },
  { path: 'orders/:id', name: 'Order', load: () => import('./pages/order.tsx') },
  { path: 'disputes', name: 'Disputes', icon: 'disputes', load: () => import('./pages/disputes.tsx') },
  { path: 'disputes/:id', name: 'Dispute', load: () => import('./pages/dispute.tsx') },
  { path: 'users', name: 'Users', icon: 'users', load: () => import('./pages/users.tsx') },
  { path: 'users/:id', name: 'User', load: () => import('./pages/user.tsx') },
  { path: 'topups', name: 'Top-ups', icon: 'topups', load: () => import('./pages/topups.tsx') },
  { path: 'topups/:id', name: 'Top-up', load: () => import('./pages/topup.tsx') },
  { path: 'withdrawals', name: 'Withdrawals', icon: 'withdrawals', load: () => import('./pages/withdrawals.tsx') },
  { path: 'withdrawals/:id', name: 'Withdrawal', load: () => import('./pages/withdrawal.tsx') },
  { path: 'breaks', name: 'Breaks', icon: 'breaks', begins: true, load: () => import('./pages/breaks.tsx') },
  { path: 'events', name: 'Events', icon: 'events', load: () => import('./pages/events.tsx') },
  { path: 'audit', name: 'Audit', icon: 'audit', load: () => import('./pages/audit.tsx') },
  { path: 'keys', name: 'Keys', icon: 'keys', begins: true, load: () => import('./pages/keys.tsx') },
  { path: 'health', name: 'Health', icon: 'health', load: () => import('./pages/health.tsx') },
  { path: 'sandbox', name: 'Sandbox', icon: 'sandbox', sandboxOnly: true, load: () => import('./pages/sandbox.tsx') },
];

/** Where the thing with this id is shown; null when there is no page for its kind. */
export const pathOfId = (id: string): string | null => {
  const folder = FOLDERS[id.slice(0, 4)];
  return folder && PAGES.some((page) => page.path === `${folder}/:id`) ? `/${folder}/${id}` : null;
};

const FOLDERS: Readonly<Record<string, string>> = {
  ord_: 'orders',
  dsp_: 'disputes',
  usr_: 'users',
  top_: 'topups',
  wdr_: 'withdrawals',
};

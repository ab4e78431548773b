// The routes of the console. The code of a page is loaded when the page is first visited, inside the shell, after the
// sign-in. A page module exports `Component`. Nothing but main.tsx may import this file.

import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import { PAGES, type PagePath } from './page-list.ts';
import { whenConnected } from './shell/connected.ts';
import { ErrorPage, NotFoundPage } from './shell/error-page.tsx';
import { Shell } from './shell/shell.tsx';

const LOADERS: Readonly<Record<PagePath, () => Promise<{ Component: ComponentType }>>> = {
  '': () => import('./pages/home.tsx'),
  orders: () => import('./pages/orders.tsx'),
  'orders/:id': () => import('./pages/order.tsx'),
  disputes: () => import('./pages/disputes.tsx'),
  'disputes/:id': () => import('./pages/dispute.tsx'),
  users: () => import('./pages/users.tsx'),
  'users/:id': () => import('./pages/user.tsx'),
  topups: () => import('./pages/topups.tsx'),
  'topups/:id': () => import('./pages/topup.tsx'),
  withdrawals: () => import('./pages/withdrawals.tsx'),
  'withdrawals/:id': () => import('./pages/withdrawal.tsx'),
  policies: () => import('./pages/policies.tsx'),
  'policies/:id': () => import('./pages/policy.tsx'),
  reports: () => import('./pages/reports/reports.tsx'),
  breaks: () => import('./pages/breaks.tsx'),
  'provider-statements': () => import('./pages/provider-statements/list.tsx'),
  'provider-statements/:id': () => import('./pages/provider-statements/statement.tsx'),
  events: () => import('./pages/events.tsx'),
  webhooks: () => import('./pages/webhooks.tsx'),
  'webhooks/deliveries': () => import('./pages/webhook-deliveries.tsx'),
  'webhooks/:id': () => import('./pages/webhook.tsx'),
  audit: () => import('./pages/audit.tsx'),
  keys: () => import('./pages/keys.tsx'),
  marketplaces: () => import('./pages/marketplaces.tsx'),
  'marketplaces/:id': () => import('./pages/marketplace.tsx'),
  approvals: () => import('./pages/approvals/inbox.tsx'),
  'approvals/rules': () => import('./pages/approvals/rules.tsx'),
  'approvals/:id': () => import('./pages/approvals/approval.tsx'),
  operators: () => import('./pages/operators/operators.tsx'),
  'operators/:id': () => import('./pages/operators/operator.tsx'),
  account: () => import('./pages/operators/account.tsx'),
  health: () => import('./pages/health.tsx'),
  sandbox: () => import('./pages/sandbox.tsx'),
};

/** Shown while the code of the first page is loading. */
const Nothing = () => null;

export const createRouter = () =>
  createBrowserRouter(
    [
      {
        path: '/',
        Component: Shell,
        ErrorBoundary: ErrorPage,
        HydrateFallback: Nothing,
        children: [
          {
            ErrorBoundary: ErrorPage,
            children: [
              ...PAGES.map(({ path }) => ({
                ...(path === '' ? { index: true as const } : { path }),
                lazy: () => whenConnected(LOADERS[path]),
              })),
              { path: '*', Component: NotFoundPage },
            ],
          },
        ],
      },
      // Invited people have no session yet.
      {
        path: '/join',
        lazy: () => whenConnected(() => import('./join/join-page.tsx')),
        ErrorBoundary: ErrorPage,
        HydrateFallback: Nothing,
      },
    ],
    { basename: '/console' },
  );

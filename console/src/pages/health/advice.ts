// The advice for an unhealthy component, by the name of its probe.

import type { Probe } from '@holdfast/sdk';
import type { PagePath } from '../../page-list.ts';

type Advice = { readonly text: string; readonly to?: { readonly path: string; readonly name: string } };

type Part = { readonly name: string; readonly advice: string; readonly page?: { path: PagePath; name: string } };

const PARTS: Readonly<Record<string, Part>> = {
  database: {
    name: 'Database',
    advice:
      'Nothing can be read or written. Check that PostgreSQL is running and that DATABASE_URL is correct; see its log.',
  },
  committer: {
    name: 'Committer',
    advice: 'The database cannot keep up with the writes. Check its disk and its load.',
  },
  jobs: { name: 'Jobs', advice: 'See the jobs below. The server log has the reason of a failed run.' },
  proof: {
    name: 'Proof of balances',
    advice: 'Stop payouts until the cause is known.',
    page: { path: '', name: 'View proof' },
  },
  stream: {
    name: 'Event stream',
    advice: 'Clients reconnect automatically. If the problem persists, restart the server.',
  },
  'escrow-provider': {
    name: 'Escrow provider',
    advice: 'Orders wait and continue automatically. Check the provider’s URL, key and status page.',
  },
  'payment-provider': {
    name: 'Payment provider',
    advice: 'Top-ups and withdrawals wait and continue automatically. Check the provider’s URL, keys and status page.',
  },
  'ledger-network': {
    name: 'Ledger network',
    advice:
      'Balances cannot be compared and escrows cannot be signed. Check the network URL and passphrase in the settings.',
  },
  reconciliation: {
    name: 'Reconciliation',
    advice: 'The books differ from an external system.',
    page: { path: 'breaks', name: 'View breaks' },
  },
  'payment-hold': {
    name: 'Hold of payments',
    advice: 'Nothing leaves a wallet that is on hold. The master key releases payments below.',
  },
  'ledger-fees': {
    name: 'Ledger fees',
    advice: 'Payments on the ledger wait and continue automatically when the fee falls.',
  },
  treasury: {
    name: 'Treasury',
    advice: 'The treasury has too little money to fund escrows. Fund it; the server log has its address.',
  },
};

export const partName = (name: string): string => PARTS[name]?.name ?? name;

/** Null for a healthy component. */
export const adviceOf = ({ name, status }: Probe): Advice | null => {
  if (status === 'ok') return null;
  if (status === 'not_configured')
    return { text: 'Requests that need it are refused. Set its URL in the settings to use it.' };
  const part = PARTS[name];
  if (!part) return { text: 'See the server log.' };
  if (!part.page) return { text: part.advice };
  return { text: part.advice, to: { name: part.page.name, path: `/${part.page.path}` } };
};

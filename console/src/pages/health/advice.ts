// What to do when a part of the service is not well, by the name of the part.

import type { Probe } from '@holdfast/sdk';
import type { PagePath } from '../../page-list.ts';

type Advice = { readonly text: string; readonly to?: { readonly path: string; readonly name: string } };

type Part = { readonly name: string; readonly advice: string; readonly page?: { path: PagePath; name: string } };

const PARTS: Readonly<Record<string, Part>> = {
  database: {
    name: 'Database',
    advice:
      'Nothing can be read or written. Check that PostgreSQL runs and that DATABASE_URL is right; look at its log.',
  },
  committer: {
    name: 'Committer',
    advice: 'More is written than the database keeps up with. Look at the disk and the load of the database.',
  },
  jobs: { name: 'Jobs', advice: 'Look at the jobs below; the server log says why a run failed.' },
  proof: {
    name: 'Proof of the books',
    advice: 'Stop paying out until it is understood.',
    page: { path: '', name: 'See the proof' },
  },
  stream: { name: 'Event stream', advice: 'Clients connect again by themselves. If it stays, restart the server.' },
  'escrow-provider': {
    name: 'Escrow provider',
    advice: 'Orders wait where they are and go on by themselves. Check its address, its key and its status page.',
  },
  'payment-provider': {
    name: 'Payment provider',
    advice: 'Top-ups and withdrawals wait and go on by themselves. Check its address, its keys and its status page.',
  },
  'ledger-network': {
    name: 'Ledger network',
    advice:
      'Balances cannot be compared and escrows cannot be signed. Check its address and passphrase in the settings.',
  },
  reconciliation: {
    name: 'Reconciliation',
    advice: 'The books and an outside system differ somewhere.',
    page: { path: 'breaks', name: 'See the breaks' },
  },
  treasury: {
    name: 'Treasury',
    advice: 'Orders cannot be paid into escrow for lack of it. Fund the treasury; the log says its address.',
  },
};

export const partName = (name: string): string => PARTS[name]?.name ?? name;

/** Null while there is nothing to do. */
export const adviceOf = ({ name, status }: Probe): Advice | null => {
  if (status === 'ok') return null;
  if (status === 'not_configured')
    return { text: 'What needs it is refused. Set its address in the settings, if you need it.' };
  const part = PARTS[name];
  if (!part) return { text: 'The server log says more.' };
  if (!part.page) return { text: part.advice };
  return { text: part.advice, to: { name: part.page.name, path: `/${part.page.path}` } };
};

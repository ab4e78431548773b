// What the server says that a request would do, for confirmations: the request is asked as a preview, which changes nothing. The changes
// are the postings of the preview, so no confirmation computes a fee or a share of its own.

import type { Preview } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { errorMessage, isRefusal } from '../../api.ts';
import { add, amountOf, negate, type Units, ZERO } from './amounts.ts';
import type { ExactBalance } from './balances.ts';
import type { Effect } from './confirm.tsx';

/** A user whose balance is shown: `Buyer` and the exact balance now. */
type Party = { readonly name: string; readonly balance: ExactBalance | null };

type Shown = {
  /** By user id. */
  readonly parties: Readonly<Record<string, Party>>;
  /** What is in the order's escrow now. */
  readonly inEscrow?: Units;
};

type Asked = Shown & {
  /** Another key asks again. */
  readonly key: readonly unknown[];
  /** Null while there is nothing to ask. */
  readonly ask: (() => Promise<Preview<unknown>>) | null;
};

type Previewed = {
  /** Null until the answer is there. */
  readonly effects: readonly Effect[] | null;
  /** Why the server would refuse the request. */
  readonly refusal: string | null;
};

export const usePreview = ({ key, ask, ...shown }: Asked): Previewed => {
  const { data, error } = useQuery({
    queryKey: ['preview', ...key],
    queryFn: () => ask!(),
    enabled: ask !== null,
    retry: false,
    gcTime: 0,
  });
  const isRefused = isRefusal(error) && error.status !== null && error.status < 500;
  return { effects: data ? effectsIn(data, shown) : null, refusal: isRefused ? errorMessage(error) : null };
};

const FEES = 'platform:fees';
const ESCROW = /:escrow$/;

type Change = { readonly account: string; readonly currency: string; readonly change: Units };

/** The net change of each account, in the order in which the postings name them. */
const changesIn = ({ postings }: Preview<unknown>): Change[] => {
  const changes = new Map<string, Change>();
  const book = (account: string, by: Units, currency: string): void => {
    const before = changes.get(account)?.change ?? ZERO;
    changes.set(account, { account, currency, change: add(before, by) });
  };
  for (const { from, to, amount, currency } of postings) {
    book(from, negate(amountOf(amount)), currency);
    book(to, amountOf(amount), currency);
  }
  return [...changes.values()].filter(({ change }) => change !== ZERO);
};

const withBefore = ({ change, before }: { change: Units; before: Units | undefined }) =>
  before === undefined ? { change } : { before, change, after: add(before, change) };

/** Null for an account that the confirmation does not show, such as the wallets of the ledger. */
const effectOf = ({ account, currency, change }: Change, { parties, inEscrow }: Shown): Effect | null => {
  if (account === FEES) return { name: 'Platform fees', currency, change };
  if (ESCROW.test(account)) return { name: 'In escrow', currency, ...withBefore({ change, before: inEscrow }) };
  const [userId = '', part = ''] = account.split(':');
  const party = parties[userId];
  if (!party || (part !== 'available' && part !== 'reserved')) return null;
  return { name: `${party.name}, ${part}`, currency, ...withBefore({ change, before: party.balance?.[part] }) };
};

const effectsIn = (preview: Preview<unknown>, shown: Shown): Effect[] =>
  changesIn(preview).flatMap((change) => effectOf(change, shown) ?? []);

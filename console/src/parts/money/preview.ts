// What the server says that a request would do, for confirmations: the request is asked as a preview, which changes nothing. Every figure
// is a figure of the preview, so no confirmation computes a fee, a share or a balance of its own.

import type { Preview } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { statusWords } from '../status.tsx';
import { add, amountOf, negate, subtract, type Units, ZERO } from './amounts.ts';
import type { Effect } from './effects.tsx';

/** The parts of a preview that a confirmation shows. */
type Changes = Pick<Preview<unknown>, 'status' | 'reply' | 'postings' | 'balances' | 'calls'>;

/** What a confirmation asks, and how it names the answer. */
export type Asking = {
  /** Another key asks again. */
  readonly key: readonly unknown[];
  /** Null while there is nothing to ask. */
  readonly ask: (() => Promise<Changes>) | null;
  /** By user id: `Buyer`. Without it the balances are those of the only user. */
  readonly names?: Readonly<Record<string, string>>;
  /** What is in the order's escrow now. */
  readonly inEscrow?: Units;
  /** The status in the reply, where it is not the record's own. */
  readonly statusOf?: (reply: unknown) => string | null;
  /** Effects on figures that the reply shows. */
  readonly more?: (reply: unknown) => readonly Effect[];
  /** What the reply shows besides, before the effects. */
  readonly beside?: (reply: unknown) => ReactNode;
};

/** A route without a preview, and why. */
export type Unpreviewed = { readonly none: string };

type Posting = Changes['postings'][number];

export type Outcome = {
  readonly effects: readonly Effect[];
  /** The status of the record afterwards. */
  readonly status: string | null;
  readonly calls: readonly string[];
  readonly postings: readonly Posting[];
  /** A rule would make the request wait. The figures are those once it is approved. */
  readonly waits: boolean;
  readonly beside: ReactNode;
};

const WAITING_STATUS = 202;

type Previewed = {
  /** Null until the answer is there. */
  readonly outcome: Outcome | null;
  /** The error that the request would get, or why the preview is missing; null for none. */
  readonly error: unknown;
  readonly again: () => void;
};

export const usePreview = (asking: Asking): Previewed => {
  const { key, ask } = asking;
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', ...key],
    queryFn: () => ask!(),
    enabled: ask !== null,
    retry: false,
    gcTime: 0,
  });
  return {
    outcome: data && !error ? outcomeOf(data, asking) : null,
    error,
    again: () => void refetch(),
  };
};

const outcomeOf = (preview: Changes, asking: Asking): Outcome => {
  const figures = [...balancesIn(preview, asking), ...accountsIn(preview, asking)];
  // Then the reply is the approval, and not the record.
  const waits = preview.status === WAITING_STATUS && 'approval' in ((preview.reply ?? {}) as object);
  return {
    effects: waits ? figures : [...figures, ...(asking.more?.(preview.reply) ?? [])],
    status: waits ? null : (asking.statusOf ?? statusIn)(preview.reply),
    waits,
    calls: preview.calls.map(({ system, operation }) => `${wordsOf(system)}: ${operation.replaceAll('-', ' ')}`),
    postings: preview.postings,
    beside: waits ? null : (asking.beside?.(preview.reply) ?? null),
  };
};

const wordsOf = (system: string): string => statusWords(system.replaceAll('-', '_'));

const statusIn = (reply: unknown): string | null => {
  const { status } = (reply ?? {}) as { status?: unknown };
  return typeof status === 'string' ? status : null;
};

type Sides = { readonly name: string; readonly currency: string; readonly before: string; readonly after: string };

/** A figure before and after. */
export const effectBetween = ({ name, currency, ...sides }: Sides): Effect => {
  const before = amountOf(sides.before);
  const after = amountOf(sides.after);
  return { name, currency, before, change: subtract(after, before), after };
};

const PARTS = ['available', 'reserved'] as const;

const partName = (part: string, name: string | undefined): string =>
  name === undefined ? part.charAt(0).toUpperCase() + part.slice(1) : `${name}, ${part}`;

const balancesIn = ({ balances }: Changes, { names }: Asking): Effect[] =>
  balances
    .filter(({ userId }) => names === undefined || names[userId] !== undefined)
    .flatMap(({ userId, currency, before, after }) =>
      PARTS.map((part) =>
        effectBetween({
          name: partName(part, names?.[userId]),
          currency,
          before: before[part],
          after: after[part],
        }),
      ),
    )
    .filter(({ change }) => change !== ZERO);

const FEES = 'platform:fees';
const ESCROW = /:escrow$/;

/** The net change of the order's escrow and of the fees. The preview has no balances of them. */
const accountsIn = ({ postings }: Changes, { inEscrow }: Asking): Effect[] => {
  const changes = new Map<string, { readonly currency: string; readonly change: Units }>();
  const book = (account: string, by: Units, currency: string): void => {
    changes.set(account, { currency, change: add(changes.get(account)?.change ?? ZERO, by) });
  };
  for (const { from, to, amount, currency } of postings) {
    book(from, negate(amountOf(amount)), currency);
    book(to, amountOf(amount), currency);
  }
  return [...changes].flatMap(([account, { currency, change }]): Effect[] => {
    if (change === ZERO) return [];
    if (account === FEES) return [{ name: 'Platform fees', currency, change }];
    if (!ESCROW.test(account)) return [];
    const sides = inEscrow === undefined ? {} : { before: inEscrow, after: add(inEscrow, change) };
    return [{ name: 'In escrow', currency, change, ...sides }];
  });
};

/** `usr_…:available` with the name of the user. */
export const accountWords = (account: string, names: Asking['names']): string => {
  const [owner = '', part = ''] = account.split(':');
  if (!owner.startsWith('usr_')) return account;
  return names === undefined ? partName(part, undefined) : `${names[owner] ?? owner}, ${part}`;
};

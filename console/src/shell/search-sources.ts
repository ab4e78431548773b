// The results of the search: IDs by their format, pages by name, orders and users from the server.

import { useQuery } from '@tanstack/react-query';
import type { Client } from '../api.ts';
import { pagesFor, pathOfId } from '../page-list.ts';
import { isolateBidi } from '../parts/bidi.ts';
import { amountOf, formatAmount } from '../parts/money/amounts.ts';
import { orderTitle } from '../parts/names.tsx';
import { useSettled } from '../parts/settled.ts';
import { useConfig, useSession } from '../session.tsx';

export type Found = { readonly to: string; readonly name: string; readonly kind: string };

const TYPING_MS = 180;
const FOUND_MAX = 6;
const ID = /^(ord|usr|dsp|top|wdr|whe|pol|apr|opr)_[0-9A-HJKMNP-TV-Z]{26}$/i;

export const useFound = (text: string): { found: readonly Found[]; isSearching: boolean } => {
  const { client, me } = useSession();
  const isSandbox = useConfig()?.sandbox === true;
  const typed = text.trim();
  const settled = useSettled(typed, TYPING_MS);
  const isWord = settled.length > 1 && !ID.test(settled);
  const query = useQuery({
    queryKey: ['search', settled],
    queryFn: () => searchServer(client, settled),
    enabled: isWord,
  });
  const pages = pagesNamed(typed, { isSandbox, isMaster: me.type === 'master' });
  // Results of an earlier text are dropped.
  const records = isWord && typed === settled ? (query.data ?? []) : [];
  const found = [...idFound(typed), ...pages, ...records];
  return { found, isSearching: typed !== settled || (isWord && query.isPending) };
};

const idFound = (typed: string): Found[] => {
  if (!ID.test(typed)) return [];
  const [kind = '', rest = ''] = typed.split('_');
  const id = `${kind.toLowerCase()}_${rest.toUpperCase()}`;
  const to = pathOfId(id);
  return to ? [{ to, name: id, kind: 'Go to ID' }] : [];
};

const pagesNamed = (typed: string, viewer: Parameters<typeof pagesFor>[0]): Found[] =>
  pagesFor(viewer)
    .filter((page) => page.name.toLowerCase().includes(typed.toLowerCase()))
    .map(({ path, name }) => ({ to: `/${path}`, name, kind: 'Page' }));

const searchServer = async (client: Client, words: string): Promise<Found[]> => {
  const [orders, users] = await Promise.all([
    client.orders.list({ q: words, limit: FOUND_MAX }).page(),
    client.users.list({ q: words, limit: FOUND_MAX }).page(),
  ]);
  return [
    ...orders.items.map(({ id, title, amount, currency }) => ({
      to: `/orders/${id}`,
      name: `${isolateBidi(orderTitle({ id, title }))} · ${formatAmount(amountOf(amount))} ${currency}`,
      kind: 'Order',
    })),
    ...users.items.map(({ id, name, externalUserId, email }) => ({
      to: `/users/${id}`,
      name: [name ?? '', externalUserId, email ?? ''].filter(Boolean).map(isolateBidi).join(' · '),
      kind: 'User',
    })),
  ];
};

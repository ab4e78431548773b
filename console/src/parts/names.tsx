// Names for IDs: the name or the external ID of a user, the title of an order. They hardly ever change, so each is requested once; only
// the form that changes a name makes it stale.

import type { Order, User } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { pathOfId } from '../page-list.ts';
import { useClient } from '../session.tsx';
import { shortId } from './id.tsx';
import { batchRequests } from './lists/batch-requests.ts';
import { Breakable } from './lists/breakable.tsx';

/** The largest page. */
const MANY = 100;

const requestUser = batchRequests<User>({
  newest: (client) => client.users.list({ limit: MANY }).page(),
  one: (client, id) => client.users.get(id),
});

const requestOrder = batchRequests<Order>({
  // Only lists of disputes request many orders.
  newest: (client) => client.orders.list({ status: 'DISPUTED', limit: MANY }).page(),
  one: (client, id) => client.orders.get(id),
});

const ALWAYS_FRESH = { staleTime: Number.POSITIVE_INFINITY } as const;

/** The name of a user as people read it; the external ID where there is none. */
export const userName = ({ name, externalUserId }: Pick<User, 'name' | 'externalUserId'>): string =>
  name ?? externalUserId;

/** The name of the user; the short ID until it is loaded, or when it cannot be. */
export const useUserName = (id: string | undefined): string => {
  const client = useClient();
  const { data } = useQuery({
    ...ALWAYS_FRESH,
    queryKey: ['names', id],
    queryFn: async () => userName(await requestUser(client, id!)),
    enabled: Boolean(id),
  });
  return data ?? (id ? shortId(id) : '');
};

const LONG = 24;

const LongName = ({ name, title }: { readonly name: string; readonly title?: string }) => (
  <span className={name.length > LONG ? 'long-name' : undefined} title={title}>
    <Breakable text={name} />
  </span>
);

type UserNameProps = { readonly id: string; readonly link?: boolean };

export const UserName = ({ id, link = true }: UserNameProps) => {
  const name = useUserName(id);
  const path = link ? pathOfId(id) : null;
  if (!path) return <LongName name={name} title={id} />;
  return (
    <Link to={path} title={id}>
      <LongName name={name} />
    </Link>
  );
};

/** The fields of an order that never change, for lists of other records. */
type OrderSummary = Pick<Order, 'id' | 'title' | 'amount' | 'currency' | 'buyerId' | 'sellerId'>;

export const useOrderSummary = (id: string): OrderSummary | null => {
  const client = useClient();
  const { data } = useQuery({
    ...ALWAYS_FRESH,
    queryKey: ['names', id],
    queryFn: async (): Promise<OrderSummary> => {
      const { title, amount, currency, buyerId, sellerId } = await requestOrder(client, id);
      return { id, title, amount, currency, buyerId, sellerId };
    },
  });
  return data ?? null;
};

/** The title of an order, or its short ID when the title is empty or blank. */
export const orderTitle = ({ id, title }: Pick<Order, 'id' | 'title'>): string =>
  title?.replace(UNSEEN, '') ? title : `Order ${shortId(id)}`;

/** Blanks and invisible characters. */
const UNSEEN = /[\s\p{Cf}\p{Cc}\u115F\u1160\u3164\uFFA0\u2800]/gu;

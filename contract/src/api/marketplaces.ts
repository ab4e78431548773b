// The marketplaces of this server, for its operator.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Limit, Strict, Text, Timestamp } from './fields.ts';

export const MARKETPLACE_COUNTED_MAX = 1_000;

const Count = (description: string) => Type.Integer({ maximum: MARKETPLACE_COUNTED_MAX, description, examples: [12] });

export const Marketplace = Type.Object({
  id: Type.String({
    description: 'Send it as `X-Marketplace-Id` to act in this marketplace.',
    examples: ['mkt_default'],
  }),
  createdAt: Timestamp('When the first record of the marketplace was written.'),
  users: Count('Number of users.'),
  orders: Count('Number of orders.'),
  keys: Count('Number of API keys, including revoked ones.'),
});

export const listMarketplaces = endpoint({
  method: 'GET',
  path: '/marketplaces',
  access: 'master',
  tag: 'Marketplaces',
  summary: 'List marketplaces',
  description:
    'All marketplaces that have at least one record. ' +
    `At most ${MARKETPLACE_COUNTED_MAX} users, orders and keys of each are counted; a count at this maximum may be higher.`,
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the previous page.')),
  }),
  status: 200,
  wrapping: 'list',
  data: Marketplace,
  errors: [],
});

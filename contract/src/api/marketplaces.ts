// The marketplaces of this server, for its operator.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Limit, Strict, Text, Timestamp } from './fields.ts';

export const MARKETPLACE_COUNTED_MAX = 1_000;

const Count = (description: string) => Type.Integer({ maximum: MARKETPLACE_COUNTED_MAX, description, examples: [12] });

export const Marketplace = Type.Object({
  id: Type.String({ description: 'Send it as `X-Marketplace-Id` to act in it.', examples: ['mkt_default'] }),
  createdAt: Timestamp('When something was first written in it.'),
  users: Count('How many users it has.'),
  orders: Count('How many orders it has.'),
  keys: Count('How many API keys it has, those that were revoked included.'),
});

export const listMarketplaces = endpoint({
  method: 'GET',
  path: '/marketplaces',
  access: 'master',
  tag: 'Marketplaces',
  summary: 'List marketplaces',
  description:
    'All in which something was ever written. ' +
    `At most ${MARKETPLACE_COUNTED_MAX} users, orders and keys of each are counted: a count that is this high may be higher.`,
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(300, 'The nextCursor of the page before.')),
  }),
  status: 200,
  wrapping: 'list',
  data: Marketplace,
  errors: [],
});

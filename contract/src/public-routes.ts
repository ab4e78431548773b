// Routes at the root of the server for readers without a key. They answer pages, and are no part of the API.

import Type from 'typebox';
import { endpoint } from './api/endpoint.ts';
import { Strict } from './api/fields.ts';

/** It answers a page, also where there is no receipt. */
export const getPublicReceipt = endpoint({
  method: 'GET',
  path: '/receipts/:token',
  access: 'public',
  tag: 'Receipts',
  summary: 'The public page of a receipt',
  params: Strict({ token: Type.String({ description: 'The secret of the link.' }) }),
  ignoresQuery: true,
  status: 200,
  wrapping: 'raw',
  data: Type.String({ description: 'The page.' }),
  errors: [],
});

// The envelopes of all answers, as schemas. The server serialises by them, so a field that is not named here can never leave. The
// API reference shows them.

import Type, { type TSchema } from 'typebox';
import type { Endpoint } from './api/endpoint.ts';
import { Nullable, Timestamp } from './api/fields.ts';
import { ERRORS } from './errors.ts';

const Meta = Type.Object(
  {
    requestId: Type.String({ description: 'The id of the request, as in the X-Request-ID header.' }),
    timestamp: Timestamp('When the server answered.'),
  },
  { description: 'Information about the answer.' },
);

const Success = Type.Literal(true, { description: 'Always true; a failure has the error envelope.' });

const plainEnvelope = (data: TSchema) => Type.Object({ data, meta: Meta });

export const successEnvelope = (data: TSchema) =>
  Type.Object({ data: Type.Object({ success: Success, data }), meta: Meta });

const Archives = Type.Array(Type.String({ examples: ['2026-01'] }), {
  description:
    'On the last page, if older items have left the database: the archived months in which the list continues. ' +
    '`holdfast archive show` prints their rows.',
});

const listEnvelope = (item: TSchema, archived: boolean) =>
  Type.Object({
    data: Type.Object({
      success: Success,
      data: Type.Array(item, { description: 'Newest first.' }),
      hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
      nextCursor: Nullable(Type.String({ description: 'Send this value as `cursor` to get the next page.' })),
      ...(archived ? { archives: Type.Optional(Archives) } : {}),
    }),
    meta: Meta,
  });

export const ErrorEnvelope = Type.Object({
  error: Type.Object({
    code: Type.Union(
      Object.keys(ERRORS).map((code) => Type.Literal(code)),
      { description: 'Branch on this code, not on the HTTP status.' },
    ),
    message: Type.String({ description: 'A sentence for people.' }),
    details: Type.Object(
      { requestId: Type.String({ description: 'Quote this id when you report a problem.' }) },
      { additionalProperties: true, description: 'Information that helps to correct the request.' },
    ),
  }),
});

/** The envelope of a successful answer. A raw endpoint writes its own answer and has no envelope. */
export const envelopeOf = (row: Pick<Endpoint, 'wrapping' | 'data' | 'archived'>): TSchema => {
  switch (row.wrapping) {
    case 'plain':
      return plainEnvelope(row.data);
    case 'success':
      return successEnvelope(row.data);
    case 'list':
      return listEnvelope(row.data, row.archived === true);
    case 'raw':
      return row.data;
  }
};

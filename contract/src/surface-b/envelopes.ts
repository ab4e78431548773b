// The envelopes of all answers of Surface B. The HTTP status equals `code`.

import Type, { type TSchema } from 'typebox';

const Code = Type.Integer({ description: 'The same as the HTTP status.' });
const Message = Type.String({ description: 'A sentence for people.' });

export const successEnvelope = (data: TSchema, message: string) =>
  Type.Object({
    code: Type.Literal(200),
    type: Type.Literal('success'),
    ok: Type.Literal(true),
    message: Type.String({ examples: [message] }),
    data,
  });

export const RefusalEnvelope = Type.Object({
  code: Code,
  type: Type.Literal('error'),
  ok: Type.Literal(false),
  message: Message,
  data: Type.Null(),
  errors: Type.Optional(Type.Array(Type.String(), { description: 'The problems of an invalid request.' })),
});

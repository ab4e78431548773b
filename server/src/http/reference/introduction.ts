// What a reader has to know before the first request: the beginning of the API reference.

import { LIMITS } from '@holdfast/contract/limits.ts';

export const INTRODUCTION = `Marketplace money: balances, orders and escrow. New here? Begin with the [documentation](/docs/).

All examples on this page are from one recorded story. The shop Old Chairs has the marketplace \`mkt_old-chairs\`; Ada buys and Grace sells a chair
for 40.00, of which the platform keeps 2.00. The same id, person and amount mean the same thing on the whole page.

## First request

Send your key as \`Authorization: Bearer <API_KEY>\` and bodies as JSON:

\`\`\`
curl "$HOLDFAST_URL/api/v1/auth/me" -H "Authorization: Bearer $HOLDFAST_KEY"
\`\`\`

A key belongs to one marketplace and has scopes. The master key of the server acts in the marketplace that the header \`X-Marketplace-Id\` names.

## Answers

A success is \`{ data, meta }\`. Order and dispute routes answer \`{ data: { success, data }, meta }\`, and lists add \`hasMore\` and \`nextCursor\`. Answers are
in camelCase; requests may be in camelCase or in snake_case, but not in both at once. Amounts are decimal strings such as \`"40.00"\`; times are in UTC.

## Lists

A list is newest first. Send \`limit\` (1 to ${LIMITS.pageSizeMax}, ${LIMITS.pageSizeDefault} unless given) and, for the next page, \`cursor\` with the \`nextCursor\` of the last answer.

## Repeats

Send an \`Idempotency-Key\` (a UUID of version 4) with a request that changes something. A repeat with the same key and the same content gets the first answer
again, with the header \`Idempotency-Replay: true\`. Order routes need no key: the state of the order protects them.

## Previews

With \`Dry-Run: true\` a request changes nothing. The answer says what it would answer, which money it would move, and which events it would cause. See
[previews](/docs/preview).

## Rate limits

\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` are in every answer. Beyond the limit the answer is 429 with \`Retry-After\`.

## Errors

Every refusal is \`{ error: { code, message, details } }\`. Branch on \`error.code\`; the message is for people. \`error.details\` has the figures that the
[table of errors](/docs/errors) promises for the code, and \`error.details.requestId\`: quote it when you report a problem. Some order and dispute routes
answer \`INVALID_STATE\` with 400, all others with 409; each operation below shows its own.

## Versions

The path has the version: \`/api/v1\`. Within it fields are added and never removed or renamed, so ignore fields that you do not know.`;

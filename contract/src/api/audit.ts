// The audit trail and the proof of the books.

import Type from 'typebox';
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '../audit.ts';
import { endpoint } from './endpoint.ts';
import { Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

const Action = Type.Enum(AUDIT_ACTIONS);
const Resource = Type.Enum(AUDIT_RESOURCES);

export const AuditEntry = Type.Object({
  id: Type.String(),
  occurredAt: Timestamp('When the action happened.'),
  action: Action,
  resourceType: Resource,
  resourceId: Type.String(),
  payloadBefore: Nullable(Type.Object({}, { additionalProperties: true })),
  payloadAfter: Nullable(Type.Object({}, { additionalProperties: true })),
  actorType: Type.String({ description: 'master, api_key, operator, user (on Surface B) or system.' }),
  actorId: Type.String(),
  actorName: Type.Optional(
    Type.String({
      description: 'The name of the operator or of the API key, also of a revoked one. Only where one of them acted.',
    }),
  ),
  result: Type.Enum(['SUCCESS', 'FAILURE']),
  correlationId: Type.String({ description: 'Request id of the call.' }),
  sequence: Type.Integer({ description: 'Gapless within the marketplace.' }),
  hash: Type.String({ description: 'Covers this entry and the hash of the previous entry.' }),
});

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/audit/logs',
  access: 'read',
  tag: 'Audit',
  heavy: true,
  archived: true,
  summary: 'List audit entries',
  description:
    'Newest first. Entries of archived months have left the database: the last page names these months in `archives`. A cursor or a range ' +
    'of time that ends in an archived month is 410 `ARCHIVED` with the names in `details.archives`.',
  query: Strict({
    ...Page,
    resourceType: Type.Optional(Resource),
    resourceId: Type.Optional(Text(200, 'Only entries about this resource.')),
    action: Type.Optional(Action),
    userId: Type.Optional(Text(64, 'Only entries that concern this user.')),
    from: Type.Optional(Timestamp('Only entries at or after this time.')),
    to: Type.Optional(Timestamp('Only entries before this time.')),
  }),
  status: 200,
  wrapping: 'list',
  data: AuditEntry,
  errors: ['ARCHIVED'],
});

const Checkpoint = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the checkpoint within the marketplace.' }),
    sequence: Type.Integer({ description: 'Sequence of the last audit entry that the checkpoint includes.' }),
    madeAt: Timestamp('When the checkpoint was made.'),
  },
  { description: 'The books and the audit chain as they were proved at one entry of the chain.' },
);

const Full = Type.Optional(
  Type.Boolean({
    description: 'True: read everything from the beginning, and not only what came after the last checkpoint.',
  }),
);

const Archives = Type.Array(
  Type.Object({
    period: Type.String({ description: 'The archived month, such as 2025-09.' }),
    state: Type.Enum(['SEALED', 'REMOVED', 'RESTORING'], {
      description:
        'REMOVED: the rows are only in the files. SEALED and RESTORING: rows are being moved out of the database, or back.',
    }),
    folder: Type.String({ description: 'Folder of its files, within `ARCHIVE_DIR` of the server.' }),
    firstSequence: Type.Integer({ description: 'Sequence of its first audit entry.' }),
    lastSequence: Type.Integer({ description: 'Sequence of its last audit entry.' }),
    manifestHash: Type.String({ description: 'SHA-256 of its `manifest.json`, which has the hash of each file.' }),
    checkedAt: Nullable(Timestamp('When its files were last read completely; null: not yet.')),
    holds: Nullable(
      Type.Boolean({ description: 'Whether every file, hash and sum was right at that time; null: not verified yet.' }),
    ),
    file: Nullable(Type.String({ description: 'The file that is missing or differs.' })),
    problem: Nullable(Type.String({ description: 'What does not hold.' })),
  }),
  {
    description:
      'Closed months whose rows are in files, oldest first. With `full=true` every file was read for this answer; otherwise the result is ' +
      'that of the last verification which this server made or found.',
  },
);

const Check = Type.Object({ name: Type.String(), holds: Type.Boolean(), detail: Type.String() });

export const Proof = Type.Object({
  holds: Type.Boolean({ description: 'True when every check holds.' }),
  checkedAt: Timestamp('When the proof was computed.'),
  checkpoint: Nullable(Checkpoint),
  lastFullProof: Nullable(
    Type.Object(
      { checkedAt: Timestamp('When it was computed.'), holds: Type.Boolean() },
      { description: 'The last full proof that the service made on its schedule; null before the first.' },
    ),
  ),
  currencies: Type.Array(
    Type.Object({
      currency: Type.String(),
      claims: Type.String({ description: 'Liabilities: what the service owes, seven decimal places.' }),
      holdings: Type.String({ description: 'Assets: what the service holds, seven decimal places.' }),
      adjustments: Type.String({ description: 'Manual adjustments by the operator, net, seven decimal places.' }),
      openingBalances: Type.String({
        description: 'Opening balances that users brought from another system, seven decimal places.',
      }),
      difference: Type.String({
        description: 'Claims minus holdings, adjustments and opening balances; zero when balanced.',
      }),
    }),
  ),
  checks: Type.Array(Check),
  archives: Archives,
});

export const getProof = endpoint({
  method: 'GET',
  path: '/audit/proof',
  access: 'read',
  tag: 'Audit',
  heavy: true,
  summary: 'Proof of balances',
  description:
    'Recomputes the balances of the marketplace and reports whether each check holds. The proof begins at the last checkpoint and adds ' +
    'up the postings that came after it; `checkpoint` names it. With `full=true`, and without a checkpoint, it adds up every posting and ' +
    'compares the last checkpoint with them; then `checkpoint` is null. With `full=true` it also reads every file of the archived months ' +
    '(check `archives-hold`), one request at a time: `archives` names each month, and the file that is missing or differs.',
  query: Strict({ full: Full }),
  status: 200,
  wrapping: 'plain',
  data: Proof,
  errors: [],
});

export const verifyAuditChain = endpoint({
  method: 'GET',
  path: '/audit/verify',
  access: 'read',
  tag: 'Audit',
  heavy: true,
  summary: 'Verify the audit chain',
  description:
    'Recomputes the hashes of the chain after the last checkpoint; `checkpoint` names it. With `full=true`, and without a checkpoint, it ' +
    'recomputes every hash from the first entry to the last; then `checkpoint` is null. With `full=true` the entries of archived months are ' +
    'read from their files, and `archives` says whether each month holds.',
  query: Strict({ full: Full }),
  status: 200,
  wrapping: 'plain',
  data: Type.Object({
    holds: Type.Boolean({ description: 'True when every hash is right, and with `full=true` every archive holds.' }),
    entries: Type.Integer({ description: 'Number of entries that were checked.' }),
    lastHash: Type.String(),
    brokenAt: Nullable(
      Type.Integer({ description: 'Sequence of the first entry in the database whose hash does not match.' }),
    ),
    checkpoint: Nullable(Checkpoint),
    archives: Archives,
  }),
  errors: [],
});

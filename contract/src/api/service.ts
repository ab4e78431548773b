// Configuration and health of the service: public, and without any secret.

import Type from 'typebox';
import { MONEY_SCOPES } from '../scopes.ts';
import { endpoint } from './endpoint.ts';
import { Timestamp } from './fields.ts';

const Range = Type.Object({ min: Type.String(), max: Type.String() });

export const getConfig = endpoint({
  method: 'GET',
  path: '/config',
  access: 'public',
  tag: 'Service',
  summary: 'Platform configuration',
  description:
    'The currencies, the default platform fee, the limits of amounts and of requests, and the version of this server.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({
    version: Type.String(),
    apiVersion: Type.String(),
    baseCurrency: Type.String(),
    currencies: Type.Array(Type.String()),
    platformFeePercent: Type.Integer({ description: 'Default fee percentage, used when the order sets none.' }),
    amounts: Type.Object({ order: Range, topup: Range, withdrawal: Range }),
    rateLimit: Type.Object({ max: Type.Integer(), windowSeconds: Type.Integer() }),
    idempotencyRetentionHours: Type.Integer(),
    eventRetentionDays: Type.Integer(),
    limits: Type.Record(Type.String(), Type.Integer()),
    writeIncludes: Type.Array(Type.Enum(MONEY_SCOPES), {
      description: 'The scopes that `write` contains on this server.',
    }),
    sandbox: Type.Boolean({ description: 'Whether the outside systems are simulators.' }),
  }),
  errors: [],
});

const Status = Type.Enum(['ok', 'degraded', 'down']);

export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  tag: 'Service',
  summary: 'Basic health',
  description: 'Whether the server answers. A load balancer can use it.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({ status: Status, version: Type.String(), uptimeSeconds: Type.Integer() }),
  errors: [],
});

export const Probe = Type.Object({
  name: Type.String(),
  status: Type.Enum(['ok', 'degraded', 'down', 'not_configured']),
  detail: Type.String(),
  durationMs: Type.Integer(),
});

export const getDetailedHealth = endpoint({
  method: 'GET',
  path: '/health/detailed',
  access: 'public',
  tag: 'Service',
  summary: 'Detailed health',
  description: 'Checks every part, each with a time limit. Answers 200 with the status even when a part is down.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({
    status: Status,
    version: Type.String(),
    uptimeSeconds: Type.Integer(),
    checkedAt: Timestamp('When the parts were checked.'),
    probes: Type.Array(Probe),
  }),
  errors: [],
});

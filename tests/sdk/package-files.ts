// What the package has to hold.

import { globSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** At run time; modules of types alone have no JavaScript. */
const CODE = [
  ...[
    'addresses',
    'amounts',
    'answers',
    'changes',
    'client',
    'errors',
    'event-connection',
    'events',
    'failures',
    'index',
    'pages',
    'sse',
    'surface-b',
  ],
  ...[
    'transport',
    'wait-for',
    'waiting',
    'webhook-keys',
    'webhooks',
    'printed/event-catalogue',
    'printed/routes',
    'printed/surface-b',
  ],
  'printed/words',
  ...['adapters/express', 'adapters/fastify', 'adapters/hono', 'adapters/next', 'adapters/receive'],
  ...['testing', 'webhook-mistakes'],
  ...['resources/balances', 'resources/disputes', 'resources/keys', 'resources/orders', 'resources/oversight'],
  ...['resources/payments', 'resources/sandbox', 'resources/users', 'resources/wallets'],
  'resources/exports',
  'bytes',
  'resources/dispute-files',
  'resources/notes',
  'resources/operators',
  'resources/order-reads',
  'resources/receipts',
  'resources/policies',
  'resources/provider-statements',
  'resources/reports',
  'resources/approvals',
  'resources/corrections',
  'resources/webhook-endpoints',
];

/** All of its files. */
export const packageFiles = (): string[] => {
  const types = globSync('**/*.ts', { cwd: path.join(ROOT, 'sdk/src') }).map((file) => file.replace(/ts$/, 'd.ts'));
  return [...CODE.map((name) => `${name}.js`), ...types, 'LICENSE', 'README.md', 'package.json'];
};

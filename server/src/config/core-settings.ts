// Settings of the data folder, the database, the committer, the event stream, and of logs, metrics and traces.

import { duration, integer, oneOf, secret, url, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const CORE_SETTINGS = {
  data: {
    dir: setting({
      name: 'DATA_DIR',
      parser: words({ pattern: /^[^\0]+$/, expects: 'the path of a folder' }),
      default: '.data',
      meaning: 'Folder of the embedded PostgreSQL and of generated secrets. Back it up.',
      example: '/var/lib/holdfast',
    }),
  },
  database: {
    url: optionalSetting({
      name: 'DATABASE_URL',
      parser: url({ schemes: ['postgres', 'postgresql'], expects: 'a postgres:// URL' }),
      secret: true,
      unset: 'PostgreSQL is started in the data folder',
      meaning:
        'PostgreSQL to use instead of the embedded one. A database with tables of another program is refused. Over a socket: postgres:///holdfast?host=/run/postgresql&user=holdfast.',
      example: 'postgres://holdfast:password@db.internal:5432/holdfast',
    }),
    poolMax: setting({
      name: 'DATABASE_POOL_MAX',
      parser: integer({ min: 2, max: 1_000 }),
      default: '10',
      meaning: 'Database connections of this process.',
      example: '20',
    }),
  },
  archive: {
    dir: optionalSetting({
      name: 'ARCHIVE_DIR',
      parser: words({ pattern: /^[^\0]+$/, expects: 'the path of a folder' }),
      unset: 'the folder `archive` in the data folder',
      meaning:
        'Folder of the archives of closed months. Every server that shows statements of archived months needs it. Back it up.',
      example: '/var/lib/holdfast-archive',
    }),
    afterMonths: setting({
      name: 'ARCHIVE_AFTER_MONTHS',
      parser: integer({ min: 4, max: 120 }),
      default: '13',
      meaning:
        'Full months that must be over after a month before `holdfast archive create` may move it to an archive. Reports cover up to 90 days and always find their rows in the database.',
      example: '25',
    }),
  },
  webhooks: {
    retentionMs: optionalSetting({
      name: 'WEBHOOK_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 30, max: 3_650 }),
      unset: 'kept until they are archived',
      meaning:
        'How long the records of applied and refused webhooks are kept. Older records are deleted, also before they are archived.',
      example: '180',
    }),
  },
  webhooksOut: {
    privateAddresses: optionalSetting({
      name: 'WEBHOOK_PRIVATE_ADDRESSES',
      parser: oneOf(['allow', 'refuse']),
      unset: 'allow while the sandbox runs and HOST is loopback, refuse otherwise',
      meaning:
        'Whether webhook endpoints may have addresses that are not on the public internet: loopback, private networks, plain http. Refused ones are 400 when an endpoint is created, and fail when a name resolves to such an address.',
      example: 'allow',
    }),
    secretOverlapMs: setting({
      name: 'WEBHOOK_SECRET_OVERLAP_H',
      parser: duration({ unit: 'h', min: 1, max: 720 }),
      default: '24',
      meaning: 'How long deliveries are also signed with the secret before the last rotation.',
      example: '72',
    }),
    disableAfterMs: setting({
      name: 'WEBHOOK_DISABLE_AFTER_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 365 }),
      default: '5',
      meaning: 'An endpoint is disabled when every delivery has failed for so long.',
      example: '10',
    }),
    deliveryRetentionMs: setting({
      name: 'WEBHOOK_DELIVERY_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 3_650 }),
      default: '30',
      meaning: 'How long deliveries and their attempts are kept. Those that will be tried again are kept longer.',
      example: '90',
    }),
  },
  jobs: {
    retentionMs: setting({
      name: 'JOB_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 365 }),
      default: '7',
      meaning: 'How long the records of finished jobs are kept. The page of jobs shows the last run of each.',
      example: '30',
    }),
  },
  proof: {
    fullHour: setting({
      name: 'PROOF_FULL_HOUR',
      parser: integer({ min: 0, max: 23 }),
      default: '3',
      meaning:
        'Hour of the day, in UTC, of the full proof: it reads every posting and every audit entry. The proofs of every five minutes begin at the last checkpoint.',
      example: '4',
    }),
  },
  heavyReads: {
    max: setting({
      name: 'HEAVY_READS_MAX',
      parser: integer({ min: 1, max: 100 }),
      default: '4',
      meaning:
        'Heavy reads that the database carries out at once for this process: audit trail and its verification, proofs, reports and statements. They have these connections of their own, besides DATABASE_POOL_MAX.',
      example: '8',
    }),
    perMarketplaceMax: setting({
      name: 'HEAVY_READS_PER_MARKETPLACE_MAX',
      parser: integer({ min: 1, max: 100 }),
      default: '2',
      meaning:
        'Heavy reads of one marketplace that this process runs at once. Keep it below HEAVY_READS_MAX, so that others have a place.',
      example: '4',
    }),
    waitingMax: setting({
      name: 'HEAVY_READS_WAITING_MAX',
      parser: integer({ min: 0, max: 10_000 }),
      default: '20',
      meaning:
        'Heavy reads of one marketplace that may wait for their place in this process. More are refused with 429.',
      example: '50',
    }),
    timeoutMs: setting({
      name: 'HEAVY_READ_TIMEOUT_MS',
      parser: duration({ unit: 'ms', min: 100, max: 600_000 }),
      default: '30000',
      meaning: 'How long one database statement of a heavy read may take. Then it is stopped and answered with 503.',
      example: '120000',
    }),
  },
  committer: {
    groupMax: setting({
      name: 'COMMITTER_GROUP_MAX',
      parser: integer({ min: 1, max: 10_000 }),
      default: '512',
      meaning: 'Commands that may share one commit.',
      example: '256',
    }),
    queueMax: setting({
      name: 'COMMITTER_QUEUE_MAX',
      parser: integer({ min: 1, max: 1_000_000 }),
      default: '10000',
      meaning: 'Commands that may wait for their commit. More are refused with 503 until the queue is shorter.',
      example: '20000',
    }),
  },
  events: {
    retentionMs: setting({
      name: 'EVENT_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 3_650 }),
      default: '30',
      meaning: 'How long events can be replayed.',
      example: '90',
    }),
    pingMs: setting({
      name: 'SSE_PING_S',
      parser: duration({ unit: 's', min: 1, max: 3_600 }),
      default: '30',
      meaning: 'Time between two pings on a silent event stream. Keep it below the idle time-out of your proxies.',
      example: '15',
    }),
    bufferMax: setting({
      name: 'SSE_BUFFER_MAX',
      parser: integer({ min: 1, max: 1_000_000 }),
      default: '1000',
      meaning:
        'Events that a slow client may lag behind before its stream is closed. The client can resume by its cursor.',
      example: '5000',
    }),
    connectionsMax: setting({
      name: 'SSE_CONNECTIONS_MAX',
      parser: integer({ min: 1, max: 1_000_000 }),
      default: '20000',
      meaning: 'Event streams that this process serves at once.',
      example: '50000',
    }),
    connectionsPerMarketplaceMax: setting({
      name: 'SSE_CONNECTIONS_PER_MARKETPLACE_MAX',
      parser: integer({ min: 1, max: 1_000_000 }),
      default: '10000',
      meaning:
        'Event streams of one marketplace that this process serves at once. More are refused with 429. Keep it below SSE_CONNECTIONS_MAX, so that one marketplace cannot take the streams of the others.',
      example: '2000',
    }),
    connectionsPerKeyMax: setting({
      name: 'SSE_CONNECTIONS_PER_KEY_MAX',
      parser: integer({ min: 1, max: 1_000_000 }),
      default: '5000',
      meaning:
        'Event streams of one API key, with its tokens, that this process serves at once. More are refused with 429. Keep it below SSE_CONNECTIONS_PER_MARKETPLACE_MAX, so that one key cannot take the streams of the other keys of its marketplace.',
      example: '100',
    }),
  },
  observe: {
    logLevel: setting({
      name: 'LOG_LEVEL',
      parser: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
      default: 'info',
      meaning: 'Lowest level of log lines that are written.',
      example: 'debug',
    }),
    metricsToken: optionalSetting({
      name: 'METRICS_TOKEN',
      parser: secret({ lengthMin: 16 }),
      secret: true,
      unset: '/metrics is open on loopback, closed otherwise',
      meaning: 'Bearer token for /metrics. Also set it when a proxy makes a server on loopback reachable.',
      example: '"$(openssl rand -hex 32)"',
    }),
    otlpEndpoint: optionalSetting({
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      parser: url({ schemes: ['http', 'https'], expects: 'an http or https URL' }),
      unset: 'no tracing',
      meaning:
        'Collector that receives traces over OTLP/HTTP. The other OTEL_* variables of the standard apply as well.',
      example: 'http://127.0.0.1:4318',
    }),
    serviceName: setting({
      name: 'OTEL_SERVICE_NAME',
      parser: words({ pattern: /^[\x20-\x7e]{1,100}$/, expects: 'a name of 1 to 100 visible characters' }),
      default: 'holdfast',
      meaning: 'Name of this service in traces.',
      example: 'holdfast-eu',
    }),
  },
};

// The columns of exported events, webhook endpoints and deliveries, audit entries, archives, keys, jobs and simulated webhooks.

import type {
  AuditEntry,
  HoldfastEvent,
  JobReport,
  ListedApiKey,
  SandboxState,
  VerifyAuditChainResult,
  WebhookDeliveryRecord,
  WebhookEndpointRecord,
} from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

export const EVENT_EXPORT: Exported<HoldfastEvent> = {
  file: 'events',
  which: 'The events on this page',
  columns: [
    { name: 'Event', value: ({ eventId }) => eventId },
    { name: 'Type', value: ({ eventType }) => eventType },
    { name: 'Resource', value: ({ aggregateType }) => aggregateType },
    { name: 'Resource ID', value: ({ aggregateId }) => aggregateId },
    { name: 'Payload', value: ({ payload }) => json(payload) },
    { name: 'Time', time: ({ occurredAt }) => occurredAt },
  ],
};

export const ENDPOINT_EXPORT: Exported<WebhookEndpointRecord> = {
  file: 'webhook-endpoints',
  columns: [
    { name: 'Endpoint', value: ({ id }) => id },
    { name: 'Address', value: ({ url }) => url },
    { name: 'Events', value: ({ events }) => events.join(' ') },
    { name: 'Description', value: ({ description }) => description },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Disabled because', value: ({ disabledReason }) => disabledReason },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

export const DELIVERY_EXPORT: Exported<WebhookDeliveryRecord> = {
  file: 'webhook-deliveries',
  columns: [
    { name: 'Delivery', value: ({ id }) => id },
    { name: 'Endpoint', value: ({ endpointId }) => endpointId },
    { name: 'Event', value: ({ eventId }) => eventId },
    { name: 'Event type', value: ({ eventType }) => eventType },
    { name: 'Resource ID', value: ({ aggregateId }) => aggregateId },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Attempts', value: ({ attemptCount }) => attemptCount },
    { name: 'Last answer', value: ({ lastStatus }) => lastStatus },
    { name: 'Next attempt', time: ({ nextAttemptAt }) => nextAttemptAt },
    { name: 'Delivered', time: ({ deliveredAt }) => deliveredAt },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

export const AUDIT_EXPORT: Exported<AuditEntry> = {
  file: 'audit',
  columns: [
    { name: 'Sequence', value: ({ sequence }) => sequence },
    { name: 'Entry', value: ({ id }) => id },
    { name: 'Action', value: ({ action }) => action },
    { name: 'Resource', value: ({ resourceType }) => resourceType },
    { name: 'Resource ID', value: ({ resourceId }) => resourceId },
    { name: 'Actor type', value: ({ actorType }) => actorType },
    { name: 'Actor', value: ({ actorId }) => actorId },
    { name: 'Actor name', value: ({ actorName }) => actorName },
    { name: 'Result', value: ({ result }) => result },
    { name: 'Before', value: ({ payloadBefore }) => json(payloadBefore) },
    { name: 'After', value: ({ payloadAfter }) => json(payloadAfter) },
    { name: 'Correlation ID', value: ({ correlationId }) => correlationId },
    { name: 'Hash', value: ({ hash }) => hash },
    { name: 'Time', time: ({ occurredAt }) => occurredAt },
  ],
};

export const ARCHIVE_EXPORT: Exported<VerifyAuditChainResult['archives'][number]> = {
  file: 'archives',
  columns: [
    { name: 'Month', value: ({ period }) => period },
    { name: 'Folder', value: ({ folder }) => folder },
    { name: 'First entry', value: ({ firstSequence }) => firstSequence },
    { name: 'Last entry', value: ({ lastSequence }) => lastSequence },
    { name: 'Manifest hash', value: ({ manifestHash }) => manifestHash },
    { name: 'Rows', value: ({ state }) => state },
    { name: 'Holds', value: ({ holds }) => holds },
    { name: 'Last check', time: ({ checkedAt }) => checkedAt },
  ],
};

export const KEY_EXPORT: Exported<ListedApiKey> = {
  file: 'api-keys',
  columns: [
    { name: 'Key', value: ({ id }) => id },
    { name: 'Name', value: ({ name }) => name },
    { name: 'Permissions', value: ({ scopes }) => scopes.join(' ') },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Rate limit', value: ({ rateLimit }) => rateLimit },
    { name: 'Last used', time: ({ lastUsedAt }) => lastUsedAt },
    { name: 'Expires', time: ({ expiresAt }) => expiresAt },
    { name: 'Revoked', time: ({ revokedAt }) => revokedAt },
    { name: 'Created', time: ({ createdAt }) => createdAt },
  ],
};

export const JOB_EXPORT: Exported<JobReport> = {
  file: 'jobs',
  columns: [
    { name: 'Job', value: ({ name }) => name },
    { name: 'Purpose', value: ({ purpose }) => purpose },
    { name: 'Schedule (UTC)', value: ({ schedule }) => schedule },
    { name: 'Outcome', value: ({ lastOutcome }) => lastOutcome },
    { name: 'Last error', value: ({ lastProblem }) => lastProblem },
    { name: 'Failed runs', value: ({ failedRuns }) => failedRuns },
    { name: 'Last run', time: ({ lastRunAt }) => lastRunAt },
  ],
};

export const SIMULATED_WEBHOOK_EXPORT: Exported<SandboxState['webhooks'][number]> = {
  file: 'simulated-webhooks',
  columns: [
    { name: 'Message', value: ({ id }) => id },
    { name: 'Resource ID', value: ({ about }) => about },
    { name: 'Event', value: ({ type }) => type },
    { name: 'Status', value: ({ status }) => status },
    { name: 'Fault', value: ({ fault }) => fault },
    { name: 'Attempts', value: ({ attempts }) => attempts },
  ],
};

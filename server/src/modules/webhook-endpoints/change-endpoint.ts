// The commands that create, change and delete webhook endpoints, and that rotate their secrets. The audit entries contain no secret, sealed
// or not.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { endpointsChanged, LIVE, type WebhookCursor, type WebhookEndpoint } from './endpoint.ts';
import type { FreshSecret } from './secrets.ts';

const shownIn = ({ url, events, description, isEnabled, disabledReason, payload }: WebhookEndpoint) => ({
  url,
  events,
  description,
  enabled: isEnabled,
  disabledReason,
  payload,
});

/** A deleted endpoint is like one that never was. */
const liveEndpoint = (work: UnitOfWork, id: string): WebhookEndpoint => {
  const endpoint = work.get('webhookEndpoints', id);
  if (endpoint.state === 'deleted') throw new DomainError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return endpoint;
};

/** For what makes no sense while nothing is sent. */
export const enabledEndpoint = (work: UnitOfWork, id: string): WebhookEndpoint => {
  const endpoint = liveEndpoint(work, id);
  if (endpoint.isEnabled) return endpoint;
  throw new DomainError('INVALID_STATE', {
    message: 'The webhook endpoint is disabled, so nothing would be sent. Enable it first.',
    details: { currentState: 'DISABLED', allowedActions: ['enable', 'delete'] },
  });
};

type CreateInput = Pick<
  WebhookEndpoint,
  'id' | 'url' | 'events' | 'description' | 'isEnabled' | 'payload' | 'signature'
> & { readonly secret: FreshSecret };

export const createEndpoint = command<CreateInput, WebhookEndpoint>({
  name: 'create-webhook-endpoint',
  needs: () => ({ rows: [LIVE] }),
  decide({ secret, ...input }, work) {
    const limit = LIMITS.webhookEndpoints;
    const live = work.listBy('webhookEndpoints', { by: 'state', value: 'live' });
    if (live.length >= limit) throw new DomainError('WEBHOOK_ENDPOINT_LIMIT', { details: { limit } });
    const endpoint: WebhookEndpoint = {
      ...input,
      state: 'live',
      disabledReason: input.isEnabled ? null : 'REQUESTED',
      publicKey: secret.publicKey,
      sealedSecret: secret.sealed,
      previousSealedSecret: null,
      previousExpiresAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('webhookEndpoints', endpoint);
    work.audit({
      action: 'WEBHOOK_ENDPOINT_CREATED',
      resourceType: 'WebhookEndpoint',
      resourceId: endpoint.id,
      after: shownIn(endpoint),
    });
    return endpoint;
  },
  reactions: endpointsChanged,
});

type ChangeInput = {
  readonly id: string;
  readonly changes: Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'description' | 'isEnabled' | 'payload'>>;
};

/** The failures of an address do not count against a new one, nor against one that was mended. */
const forgetFailures = (work: UnitOfWork, id: string): void => {
  const cursor = work.find('webhookCursors', id);
  if (!cursor || cursor.failures === 0) return;
  work.put('webhookCursors', { ...cursor, failures: 0, failingSince: null, updatedAt: work.now });
};

type Changed = { readonly endpoint: WebhookEndpoint; readonly cursor: WebhookCursor | null };

export const changeEndpoint = command<ChangeInput, Changed>({
  name: 'change-webhook-endpoint',
  needs: ({ id }) => ({
    rows: [
      { table: 'webhookEndpoints', id },
      { table: 'webhookCursors', id },
    ],
  }),
  decide({ id, changes }, work) {
    const before = liveEndpoint(work, id);
    const { isEnabled = before.isEnabled } = changes;
    const endpoint: WebhookEndpoint = {
      ...before,
      ...changes,
      disabledReason: isEnabled ? null : (before.disabledReason ?? 'REQUESTED'),
      updatedAt: work.now,
    };
    work.put('webhookEndpoints', endpoint);
    if (endpoint.url !== before.url || (isEnabled && !before.isEnabled)) forgetFailures(work, id);
    work.audit({
      action: 'WEBHOOK_ENDPOINT_CHANGED',
      resourceType: 'WebhookEndpoint',
      resourceId: id,
      before: shownIn(before),
      after: shownIn(endpoint),
    });
    return { endpoint, cursor: work.find('webhookCursors', id) ?? null };
  },
  reactions: endpointsChanged,
});

type IdInput = { readonly id: string };

export const deleteEndpoint = command<IdInput, WebhookEndpoint>({
  name: 'delete-webhook-endpoint',
  needs: ({ id }) => ({ rows: [{ table: 'webhookEndpoints', id }] }),
  decide({ id }, work) {
    const before = liveEndpoint(work, id);
    const endpoint: WebhookEndpoint = {
      ...before,
      state: 'deleted',
      isEnabled: false,
      disabledReason: before.disabledReason ?? 'REQUESTED',
      updatedAt: work.now,
    };
    work.put('webhookEndpoints', endpoint);
    work.audit({
      action: 'WEBHOOK_ENDPOINT_DELETED',
      resourceType: 'WebhookEndpoint',
      resourceId: id,
      before: shownIn(before),
    });
    return endpoint;
  },
  reactions: endpointsChanged,
});

type DisableInput = IdInput & {
  /** The address that failed. */
  readonly url: string;
  readonly disabledReason: 'GONE' | 'FAILED_FOR_DAYS';
};

/** Returns false when it is disabled already, or has another address by now. */
export const disableEndpoint = command<DisableInput, boolean>({
  name: 'disable-webhook-endpoint',
  needs: ({ id }) => ({ rows: [{ table: 'webhookEndpoints', id }] }),
  decide({ id, url, disabledReason }, work) {
    const endpoint = work.get('webhookEndpoints', id);
    if (!endpoint.isEnabled || endpoint.url !== url) return false;
    work.put('webhookEndpoints', { ...endpoint, isEnabled: false, disabledReason, updatedAt: work.now });
    work.audit({
      action: 'WEBHOOK_ENDPOINT_DISABLED',
      resourceType: 'WebhookEndpoint',
      resourceId: id,
      before: { enabled: true },
      after: { enabled: false, disabledReason },
    });
    return true;
  },
  reactions: endpointsChanged,
});

type RotateInput = IdInput & {
  readonly secret: FreshSecret;
  /** How long the secret before signs too. */
  readonly overlapMs: number;
};

export const rotateSecret = command<RotateInput, WebhookEndpoint & { readonly previousExpiresAt: string }>({
  name: 'rotate-webhook-secret',
  needs: ({ id }) => ({ rows: [{ table: 'webhookEndpoints', id }] }),
  decide({ id, secret, overlapMs }, work) {
    const before = liveEndpoint(work, id);
    const endpoint = {
      ...before,
      sealedSecret: secret.sealed,
      publicKey: secret.publicKey,
      previousSealedSecret: before.sealedSecret,
      previousExpiresAt: laterBy(work.now, overlapMs),
      updatedAt: work.now,
    };
    work.put('webhookEndpoints', endpoint);
    work.audit({
      action: 'WEBHOOK_SECRET_ROTATED',
      resourceType: 'WebhookEndpoint',
      resourceId: id,
      after: { previousSecretExpiresAt: endpoint.previousExpiresAt },
    });
    return endpoint;
  },
  reactions: endpointsChanged,
});

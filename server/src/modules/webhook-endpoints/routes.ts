// Routes of webhook endpoints: create, list, read, change, delete, and a new secret.

import * as api from '@holdfast/contract/api/webhook-endpoints.ts';
import { EVENTS, eventTypesOf } from '@holdfast/contract/events.ts';
import type { Static } from 'typebox';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import { newId } from '../../base/ulid.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { type TargetRules, whyRefused } from '../../outgoing/target.ts';
import { changeEndpoint, createEndpoint, deleteEndpoint, rotateSecret } from './change-endpoint.ts';
import type { WebhookCursor, WebhookEndpoint } from './endpoint.ts';
import { presentEndpoint } from './present.ts';
import type { EndpointReads } from './queries.ts';
import { freshSecret } from './secrets.ts';

/** The figures of an endpoint's deliveries. */
export type EndpointHealth = (of: {
  readonly marketplaceId: string;
  readonly endpoint: WebhookEndpoint;
  readonly cursor: WebhookCursor | null;
}) => Promise<Static<typeof api.WebhookHealth>>;

type Parts = {
  readonly reads: Pick<EndpointReads, 'find' | 'list' | 'cursors'>;
  readonly health: EndpointHealth;
  readonly keeper: KeyKeeper;
  readonly target: TargetRules;
  readonly overlapMs: number;
  readonly clock: Clock;
};

const kindOf = (type: string): string => `${type.split('.')[0]}.*`;

const KINDS = [...new Set(Object.keys(EVENTS).map(kindOf))];

/** What could be meant: the types of the same kind, or all kinds. */
const knownTypes = (filter: string): string => {
  const types = eventTypesOf(kindOf(filter));
  return types ? `there are ${types.join(', ')}` : `there are *, ${KINDS.join(', ')} and their single types`;
};

/** Events that an endpoint gets, and its address, as far as the schema cannot check them. */
const checkFields = (
  fields: { readonly url?: string; readonly events?: readonly string[] },
  target: TargetRules,
): void => {
  const unknown = (fields.events ?? []).filter((filter) => eventTypesOf(filter) === undefined);
  const refusal = fields.url === undefined ? null : whyRefused(fields.url, target);
  const problems = [
    ...(refusal === null ? [] : [refusal]),
    ...unknown.map((filter) => `events has ${JSON.stringify(filter)}, which is no event type; ${knownTypes(filter)}`),
  ];
  if (problems.length > 0) throw validationError(problems);
};

/** Only the fields that were sent. */
const changesOf = ({
  enabled,
  ...fields
}: {
  url?: string;
  events?: string[];
  description?: string | null;
  enabled?: boolean;
  payload?: WebhookEndpoint['payload'];
}) => ({ ...fields, ...(enabled === undefined ? {} : { isEnabled: enabled }) });

export const webhookEndpointRoutes = ({ reads, health, keeper, target, overlapMs, clock }: Parts): Route[] => {
  const now = (): string => formatInstant(clock());

  const find = async (marketplaceId: string, id: string): Promise<WebhookEndpoint> => {
    const endpoint = await reads.find(marketplaceId, id);
    if (!endpoint) throw new DomainError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return endpoint;
  };

  const secrets = [
    write(api.createWebhookEndpoint, {
      command: createEndpoint,
      async input({ body, context: { marketplaceId } }) {
        checkFields(body, target);
        const { url, events, description = null, enabled: isEnabled = true, payload = 'full', signature = 'v1' } = body;
        const id = newId('webhookEndpoint', Math.floor(clock() / 1_000));
        const secret = await freshSecret(keeper, { place: { marketplaceId, webhookEndpointId: id }, signature });
        return { id, url, events, description, isEnabled, payload, signature, secret };
      },
      present: (endpoint, { input: { secret } }) => ({
        ...presentEndpoint(endpoint, { cursor: null, now: now() }),
        secret: secret.reveal(),
      }),
    }),
    write(api.rotateWebhookSecret, {
      command: rotateSecret,
      async input({ params: { id }, context: { marketplaceId } }) {
        const { signature } = await find(marketplaceId, id);
        const place = { marketplaceId, webhookEndpointId: id };
        return { id, secret: await freshSecret(keeper, { place, signature }), overlapMs };
      },
      present: ({ previousExpiresAt }, { input: { secret } }) => ({
        secret: secret.reveal(),
        previousSecretExpiresAt: previousExpiresAt,
      }),
    }),
  ];

  return [
    ...secrets,
    list(api.listWebhookEndpoints, async ({ query, context }) => {
      const page = await reads.list(pageRequest('webhookEndpoint', { query, context }));
      const cursors = await reads.cursors(context.marketplaceId);
      const shown = (endpoint: WebhookEndpoint) =>
        presentEndpoint(endpoint, { cursor: cursors.get(endpoint.id) ?? null, now: now() });
      return { items: page.rows.map(shown), nextCursor: page.nextCursor };
    }),
    read(api.getWebhookEndpoint, async ({ params: { id }, context: { marketplaceId } }) => {
      const endpoint = await find(marketplaceId, id);
      const cursor = (await reads.cursors(marketplaceId)).get(id) ?? null;
      const figures = await health({ marketplaceId, endpoint, cursor });
      return { ...presentEndpoint(endpoint, { cursor, now: now() }), health: figures };
    }),
    write(api.updateWebhookEndpoint, {
      command: changeEndpoint,
      input({ params: { id }, body }) {
        checkFields(body, target);
        return { id, changes: changesOf(body) };
      },
      present: ({ endpoint, cursor }) => presentEndpoint(endpoint, { cursor, now: now() }),
    }),
    write(api.deleteWebhookEndpoint, {
      command: deleteEndpoint,
      input: ({ params: { id } }) => ({ id }),
      present: (endpoint) => presentEndpoint(endpoint, { cursor: null, now: now() }),
    }),
  ];
};

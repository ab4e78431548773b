// Webhook endpoints: addresses that get the events of the marketplace as signed requests. A secret is shown once, when it is made.

import type { CreatedWebhookEndpoint, RotatedWebhookSecret, UpdateWebhookEndpointInput } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, gather, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { EXIT, type ExitCode, wrongUsage } from '../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import { harmless } from '../view/paint.ts';
import { endpointColumns, endpointFacts, showAttempt, showEndpoint } from '../view/webhooks.ts';
import { waitFor } from '../waiting.ts';
import { addDeliveryCommands } from './webhook-deliveries.ts';

type Payload = CreatedWebhookEndpoint['payload'];
type Signature = CreatedWebhookEndpoint['signature'];

const PAYLOADS: readonly Payload[] = ['full', 'thin'];
const SIGNATURES: readonly Signature[] = ['v1', 'v1a'];

/** `order.*,user.created`, or the option several times. The server knows the types. */
const eventsOf = (given: readonly string[]): string[] =>
  given.flatMap((each) => each.split(',')).map((each) => each.trim());

const EVENTS_OPTION =
  'event types, separated by commas; order.* means all order events, and * all events; may be repeated';

const showSecret = (
  { out }: Pick<Run<unknown>, 'out'>,
  { shown, facts }: { shown: CreatedWebhookEndpoint | RotatedWebhookSecret; facts: [string, string | null][] },
): void => {
  const isPublic = shown.secret.startsWith('whpk_');
  if (out.isJson) out.json(shown);
  else out.facts([...facts, [isPublic ? 'verify with' : 'secret', shown.secret]]);
  if (isPublic) return;
  out.note(
    out.onlyIds
      ? 'The secret is not shown with --ids, and cannot be shown later: `holdfast webhooks rotate` creates a new one.'
      : out.notePaint.dim('Save the secret now: it is shown only once.'),
  );
};

type CreateOptions = KeyOption & {
  readonly events: readonly string[];
  readonly description?: string;
  readonly disabled?: true;
  readonly payload?: Payload;
  readonly signature?: Signature;
};

const addCreate = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'create <url>',
      ids: true,
      what: 'create an endpoint; it gets the events from now on',
      examples: [`holdfast webhooks create https://shop.example/hooks --events 'order.*,withdrawal.completed'`],
    }),
  )
    .requiredOption('--events <types>', EVENTS_OPTION, gather)
    .option('--description <text>', 'text for people: which system listens there')
    .addOption(choice('--payload <payload>', { what: 'thin: events without their payload', of: PAYLOADS }))
    .addOption(choice('--signature <version>', { what: 'v1: a shared secret; v1a: ed25519', of: SIGNATURES }))
    .option('--disabled', 'send nothing until the endpoint is enabled')
    .action(
      action<CreateOptions>(async (run, [url]) => {
        const { events, description, payload, signature, disabled, idempotencyKey } = run.options;
        const input = { url: url!, events: eventsOf(events), description, payload, signature, enabled: !disabled };
        const created = await run.client.webhookEndpoints.create(input, { idempotencyKey });
        // The public key is what verifies, and is shown once.
        showSecret(run, { shown: created, facts: endpointFacts({ ...created, publicKey: null }) });
      }),
    );
};

const addReads = (webhooks: Command): void => {
  pageOptions(
    define(webhooks, {
      name: 'list',
      ids: true,
      what: 'endpoints, newest first',
      examples: ['holdfast webhooks list'],
    }),
  ).action(
    action<PageOptions>(async (run) => {
      const list = run.client.webhookEndpoints.list(pageQuery(run.options));
      await showPage(run, { list, columns: endpointColumns(run.out), none: 'No webhook endpoints.' });
    }),
  );

  define(webhooks, {
    name: 'show <endpointId>',
    ids: true,
    what: 'show one endpoint with its health: what succeeds, how long it takes, and what waits',
    examples: ['holdfast webhooks show whe_01J…'],
  }).action(
    action(async ({ client, out }, [id]) => {
      const endpoint = await client.webhookEndpoints.get(id!);
      if (out.isJson) out.json(endpoint);
      else showEndpoint(out, endpoint);
    }),
  );
};

type UpdateOptions = KeyOption & {
  readonly to?: string;
  readonly events?: readonly string[];
  readonly description?: string;
  readonly payload?: Payload;
  readonly enable?: true;
  readonly disable?: true;
};

const changesOf = ({ to, events, description, payload, enable, disable }: UpdateOptions) => {
  if (enable && disable) throw wrongUsage('Use --enable or --disable, not both.');
  const changes: UpdateWebhookEndpointInput = {
    ...(to === undefined ? {} : { url: to }),
    ...(events === undefined ? {} : { events: eventsOf(events) }),
    // An empty text removes the description.
    ...(description === undefined ? {} : { description: description || null }),
    ...(payload === undefined ? {} : { payload }),
    ...(enable ? { enabled: true } : {}),
    ...(disable ? { enabled: false } : {}),
  };
  if (Object.keys(changes).length === 0) throw wrongUsage('Set at least one option that changes something.');
  return changes;
};

const addUpdate = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'update <endpointId>',
      ids: true,
      what: 'change the address, the events or another field, or enable and disable the endpoint',
      examples: [
        'holdfast webhooks update whe_01J… --enable',
        `holdfast webhooks update whe_01J… --to https://shop.example/new --events '*'`,
      ],
    }),
  )
    .option('--to <url>', 'new address')
    .option('--events <types>', EVENTS_OPTION, gather)
    .option('--description <text>', 'text for people; an empty one removes it')
    .addOption(choice('--payload <payload>', { what: 'thin: events without their payload', of: PAYLOADS }))
    .option('--enable', 'send events, beginning with those of the time while it was disabled')
    .option('--disable', 'send nothing')
    .action(
      action<UpdateOptions>(async ({ client, out, options }, [id]) => {
        const { idempotencyKey } = options;
        const endpoint = await client.webhookEndpoints.update(id!, changesOf(options), { idempotencyKey });
        if (out.isJson) out.json(endpoint);
        else out.facts(endpointFacts(endpoint));
      }),
    );
};

const addDelete = (webhooks: Command): void => {
  define(webhooks, {
    name: 'delete <endpointId>',
    ids: true,
    what: 'delete an endpoint; its deliveries stay in the log',
    examples: ['holdfast webhooks delete whe_01J…'],
  }).action(
    action(async ({ client, out }, [id]) => {
      const deleted = await client.webhookEndpoints.delete(id!);
      if (out.isJson) return out.json(deleted);
      out.line(`${deleted.id} is deleted. Nothing more is sent to ${harmless(deleted.url)}.`);
    }),
  );
};

const addRotate = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'rotate <endpointId>',
      what: 'create a new secret; deliveries are signed with both for a while',
      examples: ['holdfast webhooks rotate whe_01J…'],
    }),
  ).action(
    action<KeyOption>(async (run, [id]) => {
      const { idempotencyKey } = run.options;
      const shown = await run.client.webhookEndpoints.rotateSecret(id!, { idempotencyKey });
      showSecret(run, { shown, facts: [['old secret until', dayOf(shown.previousSecretExpiresAt)]] });
    }),
  );
};

/** Exits with 1 when the receiver did not accept the event. */
const sendTest = async ({ client, out, signal }: Run<unknown>, id: string): Promise<ExitCode> => {
  const { deliveryId } = await client.webhookEndpoints.test(id);
  const delivery = await waitFor({
    what: `The first attempt of ${deliveryId}`,
    signal,
    read: () => client.webhookDeliveries.get(deliveryId),
    isDone: ({ attempts }) => attempts.length > 0,
  });
  const [attempt] = delivery.attempts;
  if (out.isJson) out.json(delivery);
  else showAttempt(out, attempt!);
  if (attempt!.error === null) return EXIT.fine;
  if (delivery.nextAttemptAt !== null)
    out.note(out.notePaint.dim(`It is tried again: holdfast webhooks delivery ${deliveryId}`));
  return EXIT.refused;
};

const addTest = (webhooks: Command): void => {
  define(webhooks, {
    name: 'test <endpointId>',
    ids: true,
    what: 'send a test event, wait for the answer and show it; exits with 1 when it was not accepted',
    examples: ['holdfast webhooks test whe_01J…'],
  }).action(action((run, [id]) => sendTest(run, id!)));
};

export const addWebhookCommands = (program: Command): void => {
  const webhooks = define(program, {
    name: 'webhooks',
    what: 'endpoints that get events as signed requests, and the log of their deliveries',
    examples: [
      `holdfast webhooks create https://shop.example/hooks --events 'order.*'`,
      'holdfast webhooks deliveries --follow',
    ],
  });
  addReads(webhooks);
  addCreate(webhooks);
  addUpdate(webhooks);
  addDelete(webhooks);
  addRotate(webhooks);
  addTest(webhooks);
  addDeliveryCommands(webhooks);
};

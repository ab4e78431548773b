// The log of webhook deliveries: listed, followed while it grows, and requests to send something again.

import { setTimeout as pause } from 'node:timers/promises';
import type { ListWebhookDeliveriesQuery, WebhookDeliveryRecord } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, choice, define, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { EXIT, type ExitCode, wrongUsage } from '../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage, untilInterrupted } from '../run.ts';
import { momentOf } from '../times.ts';
import { counted } from '../view/counted.ts';
import { deliveryColumns, deliveryLine, showDelivery } from '../view/webhooks.ts';

const STATUSES: readonly WebhookDeliveryRecord['status'][] = ['PENDING', 'DELIVERED', 'FAILED'];

/** The id of an event, a time, or how long ago. */
const sinceOf = (text: string): string => (text.startsWith('evt_') ? text : momentOf(text).toISOString());

const SINCE_OPTION = 'a time, how long ago, such as 2h, or the id of an event: everything after it';

type ListOptions = PageOptions & {
  readonly endpoint?: string;
  readonly event?: string;
  readonly type?: string;
  readonly status?: WebhookDeliveryRecord['status'];
  readonly follow?: true;
  readonly count?: number;
};

const queryOf = ({ endpoint, event, type, status, ...page }: ListOptions): ListWebhookDeliveriesQuery => ({
  ...pageQuery(page),
  ...(endpoint === undefined ? {} : { endpointId: endpoint }),
  ...(event === undefined ? {} : { eventId: event }),
  ...(type === undefined ? {} : { eventType: type }),
  ...(status === undefined ? {} : { status }),
});

const POLL_MS = 1_000;
/** Shown at the start of `--follow`. */
const FIRST_COUNT = 10;
/** The newest deliveries that are compared with what was shown. A later attempt of an older one is not shown. */
const NEWEST_MAX = 500;
const PAGE_SIZE = 100;

/** Each delivery again after every attempt, so the number of attempts belongs to what was shown. */
const createShown = () => {
  const attempts = new Map<string, number>();
  return {
    /** False when it was shown before as it is now. */
    add({ id, attemptCount }: WebhookDeliveryRecord): boolean {
      if (attempts.get(id) === attemptCount) return false;
      // The last one shown is the last one forgotten.
      attempts.delete(id);
      attempts.set(id, attemptCount);
      if (attempts.size > 2 * NEWEST_MAX) attempts.delete(attempts.keys().next().value!);
      return true;
    },
  };
};

/** Newest first. A full page of deliveries that were shown already is the last one that is read. */
const readNewest = async (
  { client, options }: Run<ListOptions>,
  isNew: (delivery: WebhookDeliveryRecord) => boolean,
): Promise<WebhookDeliveryRecord[]> => {
  const found: WebhookDeliveryRecord[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < NEWEST_MAX; read += PAGE_SIZE) {
    const page = await client.webhookDeliveries.list({ ...queryOf(options), limit: PAGE_SIZE, cursor }).page();
    const fresh = page.items.filter(isNew);
    found.push(...fresh);
    if (fresh.length === 0 || page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return found;
};

const follow = async (run: Run<ListOptions>): Promise<ExitCode> => {
  const { out, options, signal } = run;
  const shown = createShown();
  const { limit = FIRST_COUNT, count = Infinity } = options;
  let printed = 0;
  for (let isFirst = true; ; isFirst = false) {
    const found = await readNewest(run, shown.add);
    for (const delivery of (isFirst ? found.slice(0, limit) : found).reverse()) {
      if (out.isJson) out.jsonLine(delivery);
      else out.line(deliveryLine(delivery, out));
      printed += 1;
      if (printed === count) return EXIT.fine;
    }
    await pause(POLL_MS, undefined, { signal });
  }
};

const addList = (webhooks: Command): void => {
  pageOptions(
    define(webhooks, {
      name: 'deliveries',
      ids: true,
      what: 'the log of deliveries, newest first; --follow shows new ones as they come, until Ctrl-C',
      examples: [
        'holdfast webhooks deliveries --endpoint whe_01J… --status FAILED',
        'holdfast webhooks deliveries --follow',
      ],
    }),
  )
    .option('--endpoint <endpointId>', 'only deliveries to this endpoint')
    .option('--event <eventId>', 'only deliveries of this event')
    .option('--type <type>', 'only deliveries of events of this type')
    .addOption(choice('--status <status>', { what: 'only with this status', of: STATUSES }))
    .option('--follow', 'go on: every attempt is a line, or with --json an object on a line')
    .option('--count <count>', 'with --follow: stop after this many lines', atLeastOne)
    .action(
      action<ListOptions>(async (run) => {
        const { options, client, out } = run;
        if (options.follow) {
          if (options.cursor !== undefined) throw wrongUsage('--follow begins with the newest: leave --cursor out.');
          if (out.onlyIds) throw wrongUsage('--ids does not go together with --follow; use --json.');
          return untilInterrupted(() => follow(run), options);
        }
        if (options.count !== undefined) throw wrongUsage('--count belongs to --follow; --limit is the page size.');
        const list = client.webhookDeliveries.list(queryOf(options));
        await showPage(run, { list, columns: deliveryColumns(out), none: 'No matching deliveries.' });
        return EXIT.fine;
      }),
    );
};

const addShow = (webhooks: Command): void => {
  define(webhooks, {
    name: 'delivery <deliveryId>',
    ids: true,
    what: 'show one delivery with its attempts',
    examples: ['holdfast webhooks delivery whd_01J…'],
  }).action(
    action(async ({ client, out }, [id]) => {
      const delivery = await client.webhookDeliveries.get(id!);
      if (out.isJson) out.json(delivery);
      else showDelivery(out, delivery);
    }),
  );
};

const addRetry = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'retry <deliveryId>',
      ids: true,
      what: 'send one delivery again at once, also when it was delivered',
      examples: ['holdfast webhooks retry whd_01J…'],
    }),
  ).action(
    action<KeyOption>(async ({ client, out, options }, [id]) => {
      const delivery = await client.webhookDeliveries.retry(id!, { idempotencyKey: options.idempotencyKey });
      if (out.isJson) return out.json(delivery);
      out.line(`${delivery.id} is sent again. See the answer: holdfast webhooks delivery ${delivery.id}`);
    }),
  );
};

type SinceOptions = KeyOption & { readonly since: string };

const addRetryFailed = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'retry-failed <endpointId>',
      what: 'send all deliveries again that were given up or wait for a retry',
      examples: ['holdfast webhooks retry-failed whe_01J… --since 2d'],
    }),
  )
    .requiredOption('--since <moment>', SINCE_OPTION)
    .action(
      action<SinceOptions>(async ({ client, out, options }, [id]) => {
        const since = sinceOf(options.since);
        const { idempotencyKey } = options;
        const result = await client.webhookEndpoints.retryFailed(id!, since, { idempotencyKey });
        if (out.isJson) return out.json(result);
        out.line(`Sent again: ${counted(result.deliveries, 'delivery')}.`);
        if (result.hasMore) out.note('There are more: run the command again.');
      }),
    );
};

const addReplay = (webhooks: Command): void => {
  keyOption(
    define(webhooks, {
      name: 'replay <endpointId>',
      what: 'send all events again since a time or after an event, also those that were delivered',
      examples: ['holdfast webhooks replay whe_01J… --since 2h', 'holdfast webhooks replay whe_01J… --since evt_01J…'],
    }),
  )
    .requiredOption('--since <moment>', SINCE_OPTION)
    .action(
      action<SinceOptions>(async ({ client, out, options }, [id]) => {
        const since = sinceOf(options.since);
        const { idempotencyKey } = options;
        const { events } = await client.webhookEndpoints.replay(id!, since, { idempotencyKey });
        if (out.isJson) return out.json({ events });
        out.line(
          `Sent again: ${counted(events, 'event')}. See the answers: holdfast webhooks deliveries --endpoint ${id} --follow`,
        );
      }),
    );
};

export const addDeliveryCommands = (webhooks: Command): void => {
  addList(webhooks);
  addShow(webhooks);
  addRetry(webhooks);
  addRetryFailed(webhooks);
  addReplay(webhooks);
};

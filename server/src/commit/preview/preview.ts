// Runs commands on a snapshot of the database and writes nothing: what they would change is collected instead. A preview decides with
// the same `decide` as the committer, on a cache of its own. It locks nothing, runs no reactions, stores no answer and counts no commit.

import type pg from 'pg';
import { createGate, createGates } from '../../base/concurrency.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import type { Account } from '../../books/accounts.ts';
import { type Amount, least, negated } from '../../books/money.ts';
import { type Batch, newBatch } from '../batch.ts';
import type { Command, Context, Submit } from '../command.ts';
import { isCached, type LaneSession, load } from '../load.ts';
import { type LaneState, newLaneState, newRowCache, type RowCache, rowKey } from '../row-cache.ts';
import type { TableName, TableRegistry, Tables } from '../tables.ts';
import { openUnitOfWork } from '../unit-of-work.ts';
import { changesOf, type StateChanges } from './preview-changes.ts';

/** A call of an outside system that the real request would make. The preview assumes that it succeeds. */
export type PreviewCall = {
  readonly system: 'escrow-provider' | 'ledger-network' | 'payment-provider';
  readonly operation: string;
};

export type PreviewChanges = StateChanges & { readonly calls: readonly PreviewCall[] };

type Previewed<Input, Reply> = {
  readonly command: Command<Input, Reply>;
  readonly input: Input;
  /** Only when the command acts in another place than the request. */
  readonly context?: Context;
};

/** One preview. Its commands run in a row: each sees what those before it changed. */
export type Preview = {
  readonly context: Context;
  /** Throws what the command throws; then nothing of the command remains. */
  run<Input, Reply>(previewed: Previewed<Input, Reply>): Promise<Reply>;
  /** Replaces a row by what it will be once an outside call has succeeded. It does not count as a change of the request. */
  assume<T extends TableName>(table: T, row: Tables[T]): Promise<void>;
  /** Lets a holding have at least this much, as it will once an outside call has succeeded. */
  assumeHeld(account: Account, amount: Amount): Promise<void>;
  /** Runs work that prepares the request and is not part of it: its changes stay, and are not shown. */
  assumeDone(work: () => Promise<unknown>): Promise<void>;
  /** For code that submits its commands itself. */
  readonly submit: Submit;
  /** Adds to the list of outside calls. */
  call(...calls: readonly PreviewCall[]): void;
  /** The changes of all commands since the last time. */
  takeChanges(): Promise<PreviewChanges>;
  /** From now on deadlines see this time. */
  setDeadlineTime(at: string): void;
};

export type Previews = {
  run<Result>(context: Context, work: (preview: Preview) => Promise<Result>): Promise<Result>;
};

type Options = {
  readonly pool: pg.Pool;
  readonly tables: TableRegistry;
  readonly clock: Clock;
  /** The clock of deadlines, where it is another one. */
  readonly deadlineClock?: Clock | null;
  /** Previews at once in this process. */
  readonly atOnce: number;
  /** Previews of one marketplace that may wait for their turn. More are refused. */
  readonly waitingMax: number;
};

const BEGIN = 'begin isolation level repeatable read read only';

const READ_HEAD = `select event_position, event_at, audit_seq, audit_hash from marketplaces where marketplace_id = $1`;

/** The marketplace has no row before its first command. */
const NEW_HEAD = { event_position: 0n, event_at: '', audit_seq: 0n, audit_hash: '' };

const RETRY_AFTER_S = 1;
const CANCELED = '57014';

const busy = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message:
      'The server runs as many previews as it can. Nothing was changed; try again after the time in Retry-After.',
    details: { retryAfter: RETRY_AFTER_S },
  });

const isCanceled = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === CANCELED;

/** The rows of one preview. */
type Snapshot = LaneSession & {
  readonly batch: Batch;
  /** Null: deadlines follow the clock. */
  deadlineMicros: number | null;
};

const loadHead = async ({ client, state }: Snapshot, marketplaceId: string): Promise<RowCache> => {
  const { rows } = await client.query(READ_HEAD, [marketplaceId]);
  const row = rows[0] ?? NEW_HEAD;
  const head = {
    eventPosition: row.event_position,
    eventAt: parseInstant(row.event_at) ?? 0,
    auditSeq: row.audit_seq,
    auditHash: row.audit_hash,
    storedHash: row.audit_hash,
  };
  const cache = newRowCache({ marketplaceId, tables: state.tables, head });
  state.caches.set(marketplaceId, cache);
  return cache;
};

const cacheOf = async (snapshot: Snapshot, marketplaceId: string): Promise<RowCache> =>
  snapshot.state.caches.get(marketplaceId) ?? (await loadHead(snapshot, marketplaceId));

type Deciding<Input, Reply> = Required<Previewed<Input, Reply>>;

const decide = async <Input, Reply>(snapshot: Snapshot, deciding: Deciding<Input, Reply>): Promise<Reply> => {
  const { command, input, context } = deciding;
  const { marketplaceId } = context;
  const cache = await cacheOf(snapshot, marketplaceId);
  await load(snapshot, [{ marketplaceId, needs: command.needs(input) }]);
  for (;;) {
    const { clock } = snapshot.state;
    const { deadlineMicros } = snapshot;
    const deadlineClock = deadlineMicros === null ? snapshot.state.deadlineClock : () => deadlineMicros;
    const work = openUnitOfWork(cache, { batch: snapshot.batch, context, nowMicros: clock(), deadlineClock });
    try {
      const needs = command.needsNext?.(input, work) ?? {};
      if (isCached(cache, needs)) {
        const reply = command.decide(input, work);
        work.assertAudited();
        return reply;
      }
      await load(snapshot, [{ marketplaceId, needs }]);
    } catch (error) {
      work.undo();
      throw error;
    }
  }
};

type Assumed = { readonly context: Context; readonly table: TableName; readonly row: Tables[TableName] };

const assume = async (snapshot: Snapshot, { context, table, row }: Assumed): Promise<void> => {
  const cache = await cacheOf(snapshot, context.marketplaceId);
  await load(snapshot, [{ marketplaceId: context.marketplaceId, needs: { rows: [{ table, id: row.id } as never] } }]);
  cache.rows.get(rowKey(table, row.id))!.row = row;
};

type Held = { readonly context: Context; readonly account: Account; readonly amount: Amount };

const assumeHeld = async (snapshot: Snapshot, { context, account, amount }: Held): Promise<void> => {
  const cache = await cacheOf(snapshot, context.marketplaceId);
  await load(snapshot, [{ marketplaceId: context.marketplaceId, needs: { accounts: [account] } }]);
  const cached = cache.accounts.get(account.id)!;
  // Holdings are negative.
  cached.balance = least(cached.balance, negated(amount));
};

const assumeDone = async ({ batch }: Snapshot, work: () => Promise<unknown>): Promise<void> => {
  const before = { postings: batch.postings.length, events: batch.events.length };
  await work();
  batch.postings.length = before.postings;
  batch.events.length = before.events;
};

const openPreview = (snapshot: Snapshot, context: Context): Preview => {
  const calls: PreviewCall[] = [];
  return {
    context,
    run: (previewed) => decide(snapshot, { ...previewed, context: previewed.context ?? context }),
    assume: (table, row) => assume(snapshot, { context, table, row }),
    assumeHeld: (account, amount) => assumeHeld(snapshot, { context, account, amount }),
    assumeDone: (work) => assumeDone(snapshot, work),
    submit: async (submission) => ({ kind: 'reply', reply: await decide(snapshot, submission), answer: null }),
    call: (...more) => void calls.push(...more),
    async takeChanges() {
      const changes = { ...(await changesOf(snapshot)), calls: calls.splice(0) };
      snapshot.batch.postings.length = 0;
      snapshot.batch.events.length = 0;
      return changes;
    },
    setDeadlineTime(at) {
      snapshot.deadlineMicros = parseInstant(at);
    },
  };
};

export const createPreviews = ({ pool, tables, clock, deadlineClock, atOnce, waitingMax }: Options): Previews => {
  // Of one marketplace only a few wait in the common queue, so its flood neither fills the queue nor delays the others for long.
  const ofMarketplace = createGates({ atOnce, waitingMax, refusal: busy });
  const gate = createGate({ atOnce, waitingMax, refusal: busy });

  const inSnapshot = async <Result>(context: Context, work: (preview: Preview) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    const state: LaneState = newLaneState({ tables, clock, deadlineClock });
    try {
      await client.query(BEGIN);
      // The functions that load need the methods that a connection of a pool has too.
      const session = {
        client: client as unknown as pg.Client,
        state,
        isDistributed: false,
        batch: newBatch(),
        deadlineMicros: null,
      };
      return await work(openPreview(session, context));
    } finally {
      // Also after an error of the database, when the connection may be broken: then the pool must not use it again.
      const broken = await client.query('rollback').then(
        () => undefined,
        (error: Error) => error,
      );
      client.release(broken);
    }
  };

  return {
    run: (context, work) =>
      ofMarketplace({ key: context.marketplaceId }, () => gate(() => inSnapshot(context, work))).catch(
        (error: unknown) => {
          throw isCanceled(error) ? busy() : error;
        },
      ),
  };
};

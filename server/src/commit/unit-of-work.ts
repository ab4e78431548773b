// The unit of work that a command decides on: reads and changes the lane's cache, and records how to undo each change. It never
// waits and never writes to the database; `write.ts` writes what a successful command leaves in the batch.

import { EVENTS, type EventType } from '@holdfast/contract/events.ts';
import type { IdKind } from '@holdfast/contract/ids.ts';
import { DomainError } from '../base/domain-error.ts';
import { type Clock, formatInstant } from '../base/instant.ts';
import { newId, ulid } from '../base/ulid.ts';
import { type Account, isOverdrawn } from '../books/accounts.ts';
import { type Amount, BALANCE_MAX, negated, plus } from '../books/money.ts';
import type { MoveName } from '../books/moves.ts';
import { auditHash, entryOf } from './audit-hash.ts';
import type { Batch } from './batch.ts';
import type { AuditNote, Context, LookupIn, NewEvent, Posting, UnitOfWork } from './command.ts';
import { assertCovered, assertPostable, type Moving, postingOf, tooLarge } from './money.ts';
import {
  type CachedAccount,
  type CachedRow,
  findInCache,
  indexRow,
  type LookupKey,
  type RowCache,
  rowKey,
} from './row-cache.ts';
import type { TableName, Tables } from './tables.ts';

type Start = {
  readonly batch: Batch;
  readonly context: Context;
  readonly nowMicros: number;
  readonly deadlineClock: Clock | null;
};

/** The command reads something that it did not name among its needs: a mistake in the command. */
const notNeeded = (what: string): Error => new Error(`the command does not name ${what} among its needs`);

const rowOf = ({ cache }: Work, key: string): CachedRow => {
  const cached = cache.rows.get(key);
  if (!cached) throw notNeeded(key);
  return cached;
};

const accountOf = ({ cache }: Work, id: string): CachedAccount => {
  const cached = cache.accounts.get(id);
  if (!cached) throw notNeeded(`the account ${id}`);
  return cached;
};

const rowsBy = ({ cache }: Work, lookup: LookupKey): CachedRow[] => {
  const found = findInCache(cache, lookup);
  if (!found) throw notNeeded(`${lookup.table} by ${lookup.by}`);
  return found;
};

type Put = { readonly table: TableName; readonly row: Tables[TableName] };

const putRow = ({ cache, batch, undos }: Work, { table, row }: Put): void => {
  const key = rowKey(table, row.id);
  const known = cache.rows.get(key);
  // A new id cannot be in the database, so nothing has to be loaded.
  const cached: CachedRow = known ?? {
    table,
    marketplaceId: cache.marketplaceId,
    storedVersion: 0,
    row: undefined,
    usedIn: cache.generation,
  };
  if (!known && !cache.tables.get(table)!.isOnlyWritten) cache.rows.set(key, cached);
  cached.usedIn = cache.generation;
  const before = cached.row;
  undos.push(() => {
    cached.row = before;
  });
  cached.row = row;
  if (!batch.rows.has(cached)) {
    batch.rows.add(cached);
    undos.push(() => batch.rows.delete(cached));
  }
  indexRow(cache, cached);
};

type BalanceChange = { readonly cached: CachedAccount; readonly amount: Amount };

const changeBalance = ({ batch, undos, now }: Work, { cached, amount }: BalanceChange): void => {
  const balance = plus(cached.balance, amount);
  if (isOverdrawn(cached.account, balance)) throw new Error(`${cached.account.id} would be overdrawn`);
  if (balance > BALANCE_MAX || balance < -BALANCE_MAX) throw tooLarge(cached.account, amount);
  const { postings, touchedAt } = cached;
  const before = { balance: cached.balance, postings, touchedAt };
  undos.push(() => Object.assign(cached, before));
  cached.balance = balance;
  cached.postings += 1n;
  cached.touchedAt = now;
  if (!batch.accounts.has(cached)) {
    batch.accounts.add(cached);
    undos.push(() => batch.accounts.delete(cached));
  }
};

const post = (work: Work, posting: Posting): void => {
  assertPostable(posting);
  const { from, to, amount, move, reference = null, description = null } = posting;
  const source: BalanceChange = { cached: accountOf(work, from.id), amount: negated(amount) };
  const target: BalanceChange = { cached: accountOf(work, to.id), amount };
  changeBalance(work, source);
  changeBalance(work, target);
  work.auditsAtLastPosting = work.batch.audits.length;
  const add = ({ cached, amount: signed }: BalanceChange, counterAccountId: string): void =>
    void work.batch.postings.push({
      marketplaceId: work.cache.marketplaceId,
      accountId: cached.account.id,
      seq: cached.postings,
      amount: signed,
      balanceAfter: cached.balance,
      counterAccountId,
      move,
      reference,
      description,
      commandId: work.commandId,
      // The audit entry of this command follows its postings, so it gets the next number.
      auditSeq: work.cache.head.auditSeq + 1n,
      postedAt: work.nowMicros,
    });
  add(source, to.id);
  add(target, from.id);
};

const move = (work: Work, posting: Posting): void => {
  assertCovered(posting, accountOf(work, posting.from.id).balance);
  post(work, posting);
};

const emit = (work: Work, event: NewEvent<EventType>): void => {
  const { type, aggregateId, payload } = event;
  const { batch, cache, commandId, context, nowMs } = work;
  const { head, marketplaceId } = cache;
  head.eventPosition += 1n;
  head.eventAt = Math.max(head.eventAt + 1, work.nowMicros);
  const aggregateType = EVENTS[type].aggregate;
  const envelope = {
    eventId: newId('event', nowMs),
    eventType: type,
    occurredAt: formatInstant(head.eventAt),
    aggregateId,
    aggregateType,
    payload,
    metadata: {
      correlationId: context.requestId,
      causationId: commandId,
      marketplaceId,
      position: Number(head.eventPosition),
      userId: event.userId,
      platformFee: event.platformFee,
      platformFeeAmount: event.platformFee,
      ...event.figures,
    },
  };
  batch.events.push({
    marketplaceId,
    position: head.eventPosition,
    occurredAt: head.eventAt,
    eventType: type,
    aggregateType,
    aggregateId,
    envelope: JSON.stringify(envelope),
  });
};

const audit = ({ batch, cache, context, now }: Work, note: AuditNote): void => {
  const { head, marketplaceId } = cache;
  head.auditSeq += 1n;
  const entry = { marketplaceId, ...entryOf(note, { context, seq: head.auditSeq, occurredAt: now }), hash: '' };
  entry.hash = auditHash(head.auditHash, entry);
  head.auditHash = entry.hash;
  batch.audits.push(entry);
};

// A class, because one is made for each command: an object with a function for each method took 1.7 KB.
class Work implements UnitOfWork {
  readonly cache: RowCache;
  readonly batch: Batch;
  readonly context: Context;
  readonly nowMicros: number;
  readonly nowMs: number;
  readonly now: string;
  readonly commandId: string;
  readonly undos: (() => void)[] = [];
  /** The number of audit entries in the batch when money last moved; -1: it has not moved. */
  auditsAtLastPosting = -1;
  readonly #headBefore: RowCache['head'];
  readonly #postingsBefore: number;
  readonly #eventsBefore: number;
  readonly #auditsBefore: number;

  readonly #deadlineClock: Clock | null;
  #deadlineNow: string | null = null;

  constructor(cache: RowCache, { batch, context, nowMicros, deadlineClock }: Start) {
    this.cache = cache;
    this.batch = batch;
    this.context = context;
    this.nowMicros = nowMicros;
    this.nowMs = Math.floor(nowMicros / 1_000);
    this.now = formatInstant(nowMicros);
    this.commandId = ulid(this.nowMs);
    this.#deadlineClock = deadlineClock;
    this.#headBefore = { ...cache.head };
    this.#postingsBefore = batch.postings.length;
    this.#eventsBefore = batch.events.length;
    this.#auditsBefore = batch.audits.length;
  }

  /** A change without an audit entry could not be found after a lost commit, and no actor would be recorded for it. */
  assertAudited(): void {
    const { batch, undos } = this;
    const isChanged = undos.length > 0 || batch.events.length > this.#eventsBefore;
    if (isChanged && batch.audits.length === this.#auditsBefore) {
      throw new Error('the command changed something and wrote no audit entry');
    }
    if (batch.audits.length === this.auditsAtLastPosting) {
      throw new Error('the command moved money after its last audit entry');
    }
  }

  undo(): void {
    const { batch, undos } = this;
    for (let i = undos.length - 1; i >= 0; i--) undos[i]!();
    Object.assign(this.cache.head, this.#headBefore);
    batch.postings.length = this.#postingsBefore;
    batch.events.length = this.#eventsBefore;
    batch.audits.length = this.#auditsBefore;
  }

  get deadlineNow(): string {
    this.#deadlineNow ??= this.#deadlineClock ? formatInstant(this.#deadlineClock()) : this.now;
    return this.#deadlineNow;
  }

  newId(kind: IdKind): string {
    const id = newId(kind, this.nowMs);
    this.cache.freshIds.set(id, this.cache.generation);
    return id;
  }

  find<T extends TableName>(table: T, id: string): Tables[T] | undefined {
    return rowOf(this, rowKey(table, id)).row as Tables[T] | undefined;
  }

  get<T extends TableName>(table: T, id: string): Tables[T] {
    const { row } = rowOf(this, rowKey(table, id));
    if (!row) throw new DomainError(this.cache.tables.get(table)!.notFound);
    return row as Tables[T];
  }

  findBy<T extends TableName>(table: T, { by, value }: LookupIn<T>): Tables[T] | undefined {
    return rowsBy(this, { table, by, value })[0]?.row as Tables[T] | undefined;
  }

  listBy<T extends TableName>(table: T, { by, value }: LookupIn<T>): Tables[T][] {
    return rowsBy(this, { table, by, value }).map((cached) => cached.row as Tables[T]);
  }

  put<T extends TableName>(table: T, row: Tables[T]): void {
    putRow(this, { table, row });
  }

  balance(account: Account): Amount {
    return accountOf(this, account.id).balance;
  }

  touchedAt(account: Account): string | null {
    return accountOf(this, account.id).touchedAt;
  }

  move(name: MoveName, transfer: Moving): void {
    move(this, postingOf(name, transfer));
  }

  post(posting: Posting): void {
    post(this, posting);
  }

  emit<T extends EventType>(event: NewEvent<T>): void {
    emit(this, event);
  }

  audit(note: AuditNote): void {
    audit(this, note);
  }
}

export const openUnitOfWork = (cache: RowCache, start: Start): Work => new Work(cache, start);

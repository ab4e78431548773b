// The unit of work that a command decides on: reads and changes the lane's cache, and records how to undo each change. It never
// waits and never writes to the database; `write.ts` writes what a successful command leaves in the batch.

import { EVENTS, type EventType } from '@holdfast/contract/events.ts';
import { DomainError } from '../base/domain-error.ts';
import { formatInstant } from '../base/instant.ts';
import { newId, ulid } from '../base/ulid.ts';
import { isOverdrawn } from '../books/accounts.ts';
import { type Amount, BALANCE_MAX, formatAmount, negated, plus } from '../books/money.ts';
import { auditHash } from './audit-hash.ts';
import type { Batch } from './batch.ts';
import type { AuditNote, Context, LookupIn, NewEvent, Posting, UnitOfWork } from './command.ts';
import { assertCovered, postingOf } from './money.ts';
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

type OpenUnitOfWork = UnitOfWork & {
  /** A change without an audit entry could not be found after a lost commit, and no actor would be recorded for it. */
  assertAudited(): void;
  undo(): void;
};

type Start = { readonly batch: Batch; readonly context: Context; readonly nowMicros: number };

/** What the parts of a unit of work share. */
type Work = Start & {
  readonly cache: RowCache;
  readonly now: string;
  readonly nowMs: number;
  readonly commandId: string;
  readonly undos: (() => void)[];
  /** The number of audit entries in the batch when money last moved; -1: it has not moved. */
  auditsAtLastPosting: number;
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
  if (!known) cache.rows.set(key, cached);
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

const tooLarge = (cached: CachedAccount, amount: Amount): DomainError =>
  new DomainError('INVALID_AMOUNT', {
    message: cached.account.open
      ? 'The marketplace would hold more than its books can.'
      : 'The balance would grow beyond what an account can hold.',
    details: { amount: formatAmount(amount < 0n ? negated(amount) : amount) },
  });

type BalanceChange = { readonly cached: CachedAccount; readonly amount: Amount };

const changeBalance = ({ batch, undos, now }: Work, { cached, amount }: BalanceChange): void => {
  const balance = plus(cached.balance, amount);
  if (isOverdrawn(cached.account, balance)) throw new Error(`${cached.account.id} would be overdrawn`);
  if (balance > BALANCE_MAX || balance < -BALANCE_MAX) throw tooLarge(cached, amount);
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

const assertPostable = ({ from, to, amount }: Posting): void => {
  if (amount <= 0n) throw new Error(`a posting of ${amount} is not positive`);
  if (from.currency !== to.currency) throw new Error('a posting cannot change the currency');
  if (from.id === to.id) throw new Error('a posting needs two accounts');
};

const post = (work: Work, posting: Posting): void => {
  assertPostable(posting);
  const { from, to, amount, move, reference = null, description = null } = posting;
  const { batch, cache, commandId } = work;
  const source: BalanceChange = { cached: accountOf(work, from.id), amount: negated(amount) };
  const target: BalanceChange = { cached: accountOf(work, to.id), amount };
  changeBalance(work, source);
  changeBalance(work, target);
  work.auditsAtLastPosting = batch.audits.length;
  const shared = {
    marketplaceId: cache.marketplaceId,
    move,
    reference,
    description,
    commandId,
    // The audit entry of this command follows its postings, so it gets the next number.
    auditSeq: cache.head.auditSeq + 1n,
    postedAt: work.nowMicros,
  };
  const add = ({ cached, amount: signed }: BalanceChange, counterAccountId: string): void => {
    const accountId = cached.account.id;
    const balanceAfter = cached.balance;
    batch.postings.push({ ...shared, accountId, seq: cached.postings, amount: signed, balanceAfter, counterAccountId });
  };
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
  const entry = {
    seq: head.auditSeq,
    occurredAt: now,
    action: note.action,
    resourceType: note.resourceType,
    resourceId: note.resourceId,
    userId: note.userId ?? null,
    payloadBefore: note.before === undefined ? null : JSON.stringify(note.before),
    payloadAfter: note.after === undefined ? null : JSON.stringify(note.after),
    actorType: context.actor.type,
    actorId: context.actor.id,
    result: note.result ?? 'SUCCESS',
    correlationId: context.requestId,
  };
  head.auditHash = auditHash(head.auditHash, entry);
  batch.audits.push({ marketplaceId, ...entry, hash: head.auditHash });
};

/** How to check and undo everything that happens from now on. */
const boundary = (work: Work) => {
  const { batch, cache, undos } = work;
  const headBefore = { ...cache.head };
  const postingsBefore = batch.postings.length;
  const eventsBefore = batch.events.length;
  const auditsBefore = batch.audits.length;
  return {
    assertAudited(): void {
      const isChanged = undos.length > 0 || batch.events.length > eventsBefore;
      if (isChanged && batch.audits.length === auditsBefore) {
        throw new Error('the command changed something and wrote no audit entry');
      }
      if (batch.audits.length === work.auditsAtLastPosting) {
        throw new Error('the command moved money after its last audit entry');
      }
    },
    undo(): void {
      for (let i = undos.length - 1; i >= 0; i--) undos[i]!();
      Object.assign(cache.head, headBefore);
      batch.postings.length = postingsBefore;
      batch.events.length = eventsBefore;
      batch.audits.length = auditsBefore;
    },
  };
};

export const openUnitOfWork = (cache: RowCache, { batch, context, nowMicros }: Start): OpenUnitOfWork => {
  const nowMs = Math.floor(nowMicros / 1_000);
  const work: Work = {
    cache,
    batch,
    context,
    nowMicros,
    nowMs,
    now: formatInstant(nowMicros),
    commandId: ulid(nowMs),
    undos: [],
    auditsAtLastPosting: -1,
  };
  return {
    ...boundary(work),
    context,
    now: work.now,
    newId(kind) {
      const id = newId(kind, nowMs);
      cache.freshIds.set(id, cache.generation);
      return id;
    },
    find: <T extends TableName>(table: T, id: string) => rowOf(work, rowKey(table, id)).row as Tables[T] | undefined,
    get: <T extends TableName>(table: T, id: string) => {
      const { row } = rowOf(work, rowKey(table, id));
      if (!row) throw new DomainError(cache.tables.get(table)!.notFound);
      return row as Tables[T];
    },
    findBy: <T extends TableName>(table: T, { by, value }: LookupIn<T>) =>
      rowsBy(work, { table, by, value })[0]?.row as Tables[T] | undefined,
    listBy: <T extends TableName>(table: T, { by, value }: LookupIn<T>) =>
      rowsBy(work, { table, by, value }).map((cached) => cached.row as Tables[T]),
    put: (table, row) => putRow(work, { table, row }),
    balance: (account) => accountOf(work, account.id).balance,
    touchedAt: (account) => accountOf(work, account.id).touchedAt,
    move: (name, transfer) => move(work, postingOf(name, transfer)),
    post: (posting) => post(work, posting),
    emit: (event) => emit(work, event),
    audit: (note) => audit(work, note),
  };
};

// The desk that a command decides at: it reads and changes the lane's memory and notes how to undo each change. Nothing
// here waits or writes; what a success leaves in the batch is written by `write.ts`.

import { EVENTS } from '@holdfast/contract/events.ts';
import { Fault } from '../base/domain-error.ts';
import { formatInstant } from '../base/instant.ts';
import { newId, ulid } from '../base/ulid.ts';
import { isOverdrawn } from '../books/accounts.ts';
import { BALANCE_MAX, formatAmount, negated, plus } from '../books/money.ts';
import { auditHash } from './audit-hash.ts';
import type { Batch } from './batch.ts';
import type { Context, Desk } from './command.ts';
import { type AccountCell, indexRow, lookupKey, matchesLookup, type RowCell, rowKey, type Shelf } from './row-cache.ts';
import type { TableName } from './table-columns.ts';
import { NOT_FOUND, type Tables } from './tables.ts';

export type CommandDesk = Desk & {
  /** A change without an audit entry could not be found again after a lost commit, and would be nobody's. */
  assertAudited(): void;
  undo(): void;
};

/** A command asked for something that it did not name among its needs: a mistake in the command. */
const notNamed = (what: string): Error => new Error(`the command did not say that it needs ${what}`);

export const openDesk = (
  shelf: Shelf,
  { batch, context, nowMicros }: { batch: Batch; context: Context; nowMicros: number },
): CommandDesk => {
  const { marketplaceId, head } = shelf;
  const nowMs = Math.floor(nowMicros / 1_000);
  const now = formatInstant(nowMicros);
  const commandId = ulid(nowMs);
  const headBefore = { ...head };
  let auditsAtLastPosting = -1;
  const [postings, events, audits] = [batch.postings.length, batch.events.length, batch.audits.length];
  const undos: (() => void)[] = [];

  const cellOf = (table: TableName, id: string): RowCell => {
    const cell = shelf.rows.get(rowKey(table, id));
    if (!cell) throw notNamed(`${table} ${id}`);
    return cell;
  };

  const accountOf = (id: string): AccountCell => {
    const cell = shelf.accounts.get(id);
    if (!cell) throw notNamed(`the account ${id}`);
    return cell;
  };

  const found = (table: TableName, lookup: { by: string; value: string }): RowCell[] => {
    const key = lookupKey(table, lookup);
    if (!shelf.asked.has(key)) throw notNamed(`${table} by ${lookup.by}`);
    return [...(shelf.lookups.get(key) ?? [])]
      .map((id) => cellOf(table, id))
      .filter((cell) => matchesLookup(cell, lookup));
  };

  const mark = <Cell>(dirty: Set<Cell>, cell: Cell): void => {
    if (dirty.has(cell)) return;
    dirty.add(cell);
    undos.push(() => dirty.delete(cell));
  };

  const change = (cell: AccountCell, amount: AccountCell['balance']): void => {
    const balance = plus(cell.balance, amount);
    if (isOverdrawn(cell.account, balance)) throw new Error(`${cell.account.id} would be overdrawn`);
    if (balance > BALANCE_MAX || balance < -BALANCE_MAX) {
      throw new Fault('INVALID_AMOUNT', {
        message: cell.account.open
          ? 'The marketplace would hold more than its books can.'
          : 'The balance would grow beyond what an account can hold.',
        details: { amount: formatAmount(amount < 0n ? negated(amount) : amount) },
      });
    }
    const before = { balance: cell.balance, postings: cell.postings, touchedAt: cell.touchedAt };
    undos.push(() => Object.assign(cell, before));
    cell.balance = balance;
    cell.postings += 1n;
    cell.touchedAt = now;
    mark(batch.accounts, cell);
  };

  return {
    context,
    now,
    newId: (kind) => newId(kind, nowMs),

    find: <T extends TableName>(table: T, id: string) => cellOf(table, id).row as Tables[T] | undefined,
    get: <T extends TableName>(table: T, id: string) => {
      const row = cellOf(table, id).row;
      if (!row) throw new Fault(NOT_FOUND[table]);
      return row as Tables[T];
    },
    findBy: <T extends TableName>(table: T, by: string, value: string) =>
      found(table, { by, value })[0]?.row as Tables[T] | undefined,
    listBy: <T extends TableName>(table: T, by: string, value: string) =>
      found(table, { by, value }).map((cell) => cell.row as Tables[T]),
    put(table, row) {
      const key = rowKey(table, row.id);
      let cell = shelf.rows.get(key);
      if (!cell) {
        // A new id cannot be in the database, so it needs no look there.
        cell = { table, marketplaceId, storedVersion: 0, row: undefined };
        shelf.rows.set(key, cell);
      }
      const [changed, rowBefore] = [cell, cell.row];
      undos.push(() => {
        changed.row = rowBefore;
      });
      cell.row = row;
      mark(batch.rows, cell);
      indexRow(shelf, cell);
    },

    balance: (account) => accountOf(account.id).balance,
    touchedAt: (account) => accountOf(account.id).touchedAt,
    post({ from, to, amount, move, reference = null, description = null }) {
      if (amount <= 0n) throw new Error(`a posting of ${amount} is not positive`);
      if (from.currency !== to.currency) throw new Error('a posting cannot change the currency');
      if (from.id === to.id) throw new Error('a posting needs two accounts');
      const [source, target] = [accountOf(from.id), accountOf(to.id)];
      change(source, negated(amount));
      change(target, amount);
      // The entry comes after what it tells of: it will have the next number.
      auditsAtLastPosting = batch.audits.length;
      const auditSeq = head.auditSeq + 1n;
      const shared = { marketplaceId, move, reference, description, commandId, auditSeq, postedAt: nowMicros };
      for (const [cell, signed, counter] of [
        [source, -amount, to.id],
        [target, amount, from.id],
      ] as const) {
        batch.postings.push({
          ...shared,
          accountId: cell.account.id,
          seq: cell.postings,
          amount: signed,
          balanceAfter: cell.balance,
          counterAccountId: counter,
        });
      }
    },

    emit(type, aggregateId, payload, metadata) {
      head.eventPosition += 1n;
      head.eventAt = Math.max(head.eventAt + 1, nowMicros);
      const occurredAt = formatInstant(head.eventAt);
      const aggregateType = EVENTS[type].aggregate;
      batch.events.push({
        marketplaceId,
        position: head.eventPosition,
        occurredAt: head.eventAt,
        eventType: type,
        aggregateType,
        aggregateId,
        envelope: JSON.stringify({
          eventId: newId('event', nowMs),
          eventType: type,
          occurredAt,
          aggregateId,
          aggregateType,
          payload,
          metadata: {
            correlationId: context.requestId,
            causationId: commandId,
            marketplaceId,
            position: Number(head.eventPosition),
            ...metadata,
          },
        }),
      });
    },

    audit({ action, resourceType, resourceId, userId = null, before, after, result = 'SUCCESS' }) {
      head.auditSeq += 1n;
      const entry = {
        seq: head.auditSeq,
        occurredAt: now,
        action,
        resourceType,
        resourceId,
        userId,
        payloadBefore: before === undefined ? null : JSON.stringify(before),
        payloadAfter: after === undefined ? null : JSON.stringify(after),
        actorType: context.actor.type,
        actorId: context.actor.id,
        result,
        correlationId: context.requestId,
      };
      head.auditHash = auditHash(head.auditHash, entry);
      batch.audits.push({ marketplaceId, ...entry, hash: head.auditHash });
    },

    assertAudited() {
      const changed = undos.length > 0 || batch.events.length > events;
      if (changed && batch.audits.length === audits)
        throw new Error('the command changed something and audited nothing');
      if (batch.audits.length === auditsAtLastPosting) {
        throw new Error('the command moved money after its last audit entry');
      }
    },
    undo() {
      for (let i = undos.length - 1; i >= 0; i--) undos[i]!();
      Object.assign(head, headBefore);
      batch.postings.length = postings;
      batch.events.length = events;
      batch.audits.length = audits;
    },
  };
};

// The desk that a command decides at: it reads and changes the group's rows in memory and notes how to undo each change.
// Nothing here waits or writes; what is left in the group's state after a success is written by `write.ts`.

import { EVENTS } from '@holdfast/contract/events.ts';
import type { Context, Desk } from '../commands/command.ts';
import { isOverdrawn } from '../domain/account.ts';
import { Fault } from '../domain/fault.ts';
import { formatInstant } from '../domain/instant.ts';
import { BALANCE_MAX, minus, plus } from '../domain/money.ts';
import { NOT_FOUND, type Tables } from '../domain/tables.ts';
import { newId, ulid } from '../domain/ulid.ts';
import { auditHash } from './audit-hash.ts';
import { type AccountCell, type GroupState, indexRow, lookupKey, matchesLookup, rowKey } from './group-state.ts';
import type { TableName } from './tables.ts';

export type CommandDesk = Desk & { undo(): void };

export const openDesk = (state: GroupState, options: { context: Context; nowMicros: number }): CommandDesk => {
  const { context, nowMicros } = options;
  const { marketplaceId } = context;
  const head = state.heads.get(marketplaceId);
  if (!head) throw new Error(`the head of ${marketplaceId} was not loaded`);

  const nowMs = Math.floor(nowMicros / 1_000);
  const now = formatInstant(nowMicros);
  const commandId = ulid(nowMs);
  const headBefore = { ...head };
  const counts = [state.postings.length, state.events.length, state.audits.length] as const;
  const undos: (() => void)[] = [];

  const cellOf = (table: TableName, id: string) => {
    const cell = state.rows.get(rowKey(marketplaceId, table, id));
    if (!cell) throw new Error(`the command did not say that it needs ${table} ${id}`);
    return cell;
  };

  const accountOf = (id: string): AccountCell => {
    const cell = state.accounts.get(`${marketplaceId}/${id}`);
    if (!cell) throw new Error(`the command did not say that it needs the account ${id}`);
    return cell;
  };

  const listBy = (table: TableName, by: string, value: string) => {
    const ids = state.lookups.get(lookupKey(marketplaceId, table, by, value));
    if (!ids) throw new Error(`the command did not say that it needs ${table} by ${by}`);
    return [...ids].map((id) => cellOf(table, id)).filter((cell) => matchesLookup(cell, by, value));
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
      listBy(table, by, value)[0]?.row as Tables[T] | undefined,
    listBy: <T extends TableName>(table: T, by: string, value: string) =>
      listBy(table, by, value).map((cell) => cell.row as Tables[T]),
    put(table, row) {
      const key = rowKey(marketplaceId, table, row.id);
      let cell = state.rows.get(key);
      if (!cell) {
        // A new id cannot be in the database, so it needs no look there.
        cell = { table, marketplaceId, storedVersion: 0, row: undefined, dirty: false };
        state.rows.set(key, cell);
      }
      const { row: rowBefore, dirty: dirtyBefore } = cell;
      const changed = cell;
      undos.push(() => {
        changed.row = rowBefore;
        changed.dirty = dirtyBefore;
      });
      cell.row = row;
      cell.dirty = true;
      indexRow(state, cell);
    },

    balance: (account) => accountOf(account.id).balance,
    touchedAt: (account) => accountOf(account.id).touchedAt,
    post({ from, to, amount, move, reference = null, description = null }) {
      if (amount <= 0n) throw new Error(`a posting of ${amount} is not positive`);
      if (from.currency !== to.currency) throw new Error('a posting cannot change the currency');
      if (from.id === to.id) throw new Error('a posting needs two accounts');
      const legs = [
        {
          cell: accountOf(from.id),
          balance: minus(accountOf(from.id).balance, amount),
          signed: -amount,
          counter: to.id,
        },
        { cell: accountOf(to.id), balance: plus(accountOf(to.id).balance, amount), signed: amount, counter: from.id },
      ];
      for (const { cell, balance, signed, counter } of legs) {
        if (isOverdrawn(cell.account, balance)) throw new Error(`${cell.account.id} would be overdrawn`);
        if (balance > BALANCE_MAX || balance < -BALANCE_MAX) {
          throw new Fault('INVALID_AMOUNT', { message: 'The balance would grow beyond what an account can hold.' });
        }
        const { balance: balanceBefore, postings: postingsBefore, touchedAt: touchedBefore } = cell;
        undos.push(() => {
          cell.balance = balanceBefore;
          cell.postings = postingsBefore;
          cell.touchedAt = touchedBefore;
        });
        cell.balance = balance;
        cell.postings = postingsBefore + 1n;
        cell.touchedAt = now;
        state.postings.push({
          marketplaceId,
          accountId: cell.account.id,
          seq: cell.postings,
          amount: signed,
          balanceAfter: balance,
          counterAccountId: counter,
          move,
          reference,
          description,
          commandId,
          postedAt: nowMicros,
        });
      }
    },

    emit(type, aggregateId, payload, metadata) {
      head.eventPosition += 1n;
      head.eventAt = Math.max(head.eventAt + 1, nowMicros);
      const occurredAt = formatInstant(head.eventAt);
      const aggregateType = EVENTS[type].aggregate;
      state.events.push({
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
      state.audits.push({ marketplaceId, ...entry, hash: head.auditHash });
    },

    undo() {
      for (let i = undos.length - 1; i >= 0; i--) undos[i]!();
      Object.assign(head, headBefore);
      state.postings.length = counts[0];
      state.events.length = counts[1];
      state.audits.length = counts[2];
    },
  };
};

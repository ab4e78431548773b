// A group of commands: each decides in turn on what the ones before it left, and all are written by one commit. A group
// whose rows are all remembered is decided before anything is asked of the database, and written in one round trip.

import type pg from 'pg';
import { Fault, isFault } from '../base/domain-error.ts';
import { type Clock, formatInstant } from '../base/instant.ts';
import { UNWRITABLE } from '../postgres/database-errors.ts';
import { type AnswerRow, answerKey, type Batch, newBatch } from './batch.ts';
import type { Needs, Outcome, Submission } from './command.ts';
import { isOnShelf, load, loadAnswers, lockHeads } from './load.ts';
import type { Memory, Shelf } from './row-cache.ts';
import { type CommandDesk, openDesk } from './unit-of-work.ts';
import { write } from './write.ts';

/** A submission whatever its types are: the queue holds all kinds. */
// biome-ignore lint/suspicious/noExplicitAny: each item's own types were checked where it was submitted
export type AnySubmission = Submission<any, any>;

export type Decision =
  | { readonly kind: 'done'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | { readonly kind: 'broken'; readonly error: unknown };

export type Group = { readonly items: readonly AnySubmission[]; readonly decisions: Decision[]; readonly batch: Batch };

/** What a lane keeps between groups. */
export type Mind = {
  readonly memory: Memory;
  /** Answers given lately, so that a quick repeat is recognised without a look into the database. */
  readonly answers: Map<string, AnswerRow>;
  readonly clock: Clock;
};

/** Something has to be loaded before the command can decide. */
type Missing = { readonly kind: 'missing'; readonly needs: Needs };

const MISSING_NOTHING: Needs = {};

/** A stored answer for this very request, a refusal for another request under the same key, or nothing. */
const findReplay = (mind: Mind, batch: Batch, ask: { item: AnySubmission; now: string }): Decision | null => {
  const { guard, context } = ask.item;
  if (!guard) return null;
  const key = answerKey(context.marketplaceId, guard.keyHash);
  const stored = batch.answers.get(key) ?? mind.answers.get(key);
  if (!stored || stored.expiresAt <= ask.now) return null;
  if (!stored.fingerprint.equals(guard.fingerprint)) {
    return { kind: 'refused', fault: new Fault('IDEMPOTENCY_KEY_REUSED') };
  }
  if (stored.status === null || stored.body === null) {
    return { kind: 'refused', fault: new Fault('IDEMPOTENCY_KEY_IN_PROGRESS') };
  }
  return { kind: 'done', outcome: { kind: 'replay', answer: { status: stored.status, body: stored.body } } };
};

type Result = { reply: unknown } | { fault: Fault };

const storeAnswer = (
  batch: Batch,
  item: AnySubmission,
  { result, nowMicros }: { result: Result; nowMicros: number },
) => {
  const { guard } = item;
  const answer = guard?.render(result) ?? null;
  if (!guard || !answer) return null;
  const { marketplaceId } = item.context;
  batch.answers.set(answerKey(marketplaceId, guard.keyHash), {
    marketplaceId,
    keyHash: guard.keyHash,
    fingerprint: guard.fingerprint,
    ...answer,
    createdAt: formatInstant(nowMicros),
    expiresAt: formatInstant(nowMicros + guard.retentionHours * 3_600_000_000),
  });
  return answer;
};

type Sitting = { readonly shelf: Shelf; readonly desk: CommandDesk; readonly item: AnySubmission; nowMicros: number };

const judge = (batch: Batch, { shelf, desk, item, nowMicros }: Sitting): Decision | Missing => {
  try {
    const next = item.command.needsNext?.(item.input, desk) ?? MISSING_NOTHING;
    if (!isOnShelf(shelf, next)) return { kind: 'missing', needs: next };
    const reply = item.command.decide(item.input, desk);
    desk.assertAudited();
    const answer = storeAnswer(batch, item, { result: { reply }, nowMicros });
    return { kind: 'done', outcome: { kind: 'reply', reply, answer } };
  } catch (error) {
    desk.undo();
    if (!isFault(error)) return { kind: 'broken', error };
    storeAnswer(batch, item, { result: { fault: error }, nowMicros });
    return { kind: 'refused', fault: error };
  }
};

/** What the command needs and the shelf lacks is asked for anew right before deciding: an earlier command may matter. */
const consider = (mind: Mind, batch: Batch, item: AnySubmission): Decision | Missing => {
  const { command, context, input } = item;
  const shelf: Shelf | undefined = mind.memory.get(context.marketplaceId);
  if (!shelf) return { kind: 'missing', needs: MISSING_NOTHING };
  const needs = command.needs(input);
  if (!isOnShelf(shelf, needs)) return { kind: 'missing', needs };

  const nowMicros = mind.clock();
  batch.shelves.add(shelf);
  const replay = item.guard ? findReplay(mind, batch, { item, now: formatInstant(nowMicros) }) : null;
  if (replay) return replay;
  const desk = openDesk(shelf, { batch, context, nowMicros });
  return judge(batch, { shelf, desk, item, nowMicros });
};

/** Whatever a command throws is its own failure and never the group's. */
const decideOne = (mind: Mind, batch: Batch, item: AnySubmission): Decision | Missing => {
  try {
    return consider(mind, batch, item);
  } catch (error) {
    return { kind: 'broken', error };
  }
};

/** Nothing for a command that cannot say: deciding it meets the same failure and answers with it. */
const needsOf = ({ command, input }: AnySubmission): Needs => {
  try {
    return command.needs(input);
  } catch {
    return MISSING_NOTHING;
  }
};

/**
 * A refusal that is not kept leaves nothing behind that would collide with an answer given long ago: only the database
 * knows whether there is one to repeat.
 */
const mayHaveAnswer = (batch: Batch, { guard, context }: AnySubmission, decision: Decision): boolean =>
  guard !== undefined &&
  decision.kind === 'refused' &&
  !batch.answers.has(answerKey(context.marketplaceId, guard.keyHash));

/** Decides the items from memory alone, up to the first that needs a look into the database. */
export const decideFromMemory = (mind: Mind, items: readonly AnySubmission[]): Group => {
  const batch = newBatch();
  const decisions: Decision[] = [];
  for (const item of items) {
    const decision = decideOne(mind, batch, item);
    if (decision.kind === 'missing' || mayHaveAnswer(batch, item, decision)) break;
    decisions.push(decision);
  }
  return { items: items.slice(0, decisions.length), decisions, batch };
};

const FIND_AUDIT = 'select hash from audit_entries where marketplace_id = $1 and seq = $2';

/**
 * What became of a group whose commit was sent and not answered: its last audit entry is there, with its own hash, or it
 * is not. Asked under the heads' locks and before they are let go again: what was sent may still be waiting for them, and
 * would otherwise come through between the question and what is decided on the answer.
 */
const wasCommitted = async (client: pg.Client, { batch }: Group): Promise<boolean> => {
  const last = batch.audits.at(-1);
  // Nothing was changed, so nothing is lost by deciding again.
  if (!last) return false;
  const { rows } = await client.query<{ hash: string }>(FIND_AUDIT, [last.marketplaceId, last.seq]);
  return rows[0]?.hash === last.hash;
};

/**
 * Locks the heads, loads what is missing, and decides. Leaves the transaction open for `commit`. Null when `lost`, a
 * commit of these very commands that got no answer, turns out to have happened.
 */
export const decideWithDatabase = async (
  client: pg.Client,
  mind: Mind,
  { items, lost }: { items: readonly AnySubmission[]; lost: Group | null },
): Promise<Group | null> => {
  const marketplaceIds = [...new Set(items.map((item) => item.context.marketplaceId))].sort();
  const begun = client.query('begin');
  begun.catch(() => {});
  await lockHeads(client, mind.memory, marketplaceIds);
  if (lost && (await wasCommitted(client, lost))) {
    await client.query('rollback');
    return null;
  }

  const guarded = items.flatMap(({ guard, context: { marketplaceId } }) =>
    guard ? [{ marketplaceId, keyHash: guard.keyHash }] : [],
  );
  const wanted = items.map((item) => ({
    marketplaceId: item.context.marketplaceId,
    needs: needsOf(item),
  }));
  const [answers] = await Promise.all([
    guarded.length > 0 ? loadAnswers(client, guarded) : [],
    load(client, mind.memory, wanted),
  ]);
  for (const row of answers) mind.answers.set(answerKey(row.marketplaceId, row.keyHash), row);

  const batch = newBatch();
  const decisions: Decision[] = [];
  for (const item of items) {
    let decision = decideOne(mind, batch, item);
    while (decision.kind === 'missing') {
      await load(client, mind.memory, [{ marketplaceId: item.context.marketplaceId, needs: decision.needs }]);
      decision = decideOne(mind, batch, item);
    }
    decisions.push(decision);
  }
  return { items, decisions, batch };
};

/** Every statement is awaited even when one fails, so that none is left unheard; the first failure is the one that counts. */
const settle = async (sent: readonly Promise<unknown>[]): Promise<void> => {
  const results = await Promise.allSettled(sent);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/**
 * Writes and commits the group; resolves when it is durable. Everything is sent at once: if a statement fails, the
 * commit of the failed transaction is a rollback.
 */
export const commit = (
  client: pg.Client,
  mind: Mind,
  { group, begin }: { group: Group; begin: boolean },
): Promise<void> => {
  const statements = prepare(mind, group.batch);
  if (statements instanceof Error) return Promise.reject(statements);
  const sent = [...(begin ? ['begin'] : []), ...statements, 'commit'].map((one) => client.query(one));
  for (const [key, row] of group.batch.answers) mind.answers.set(key, row);
  return settle(sent);
};

/** No retry helps, but without the command that caused it the others can go. */
const prepare = (mind: Mind, batch: Batch): pg.QueryConfig[] | Error => {
  try {
    return write(batch);
  } catch (cause) {
    // Memory holds what will never be written, and nothing may be decided on that.
    mind.memory.clear();
    mind.answers.clear();
    return Object.assign(new Error('what was decided cannot be written', { cause }), { code: UNWRITABLE });
  }
};

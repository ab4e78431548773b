// A group of commands: each is decided on what the commands before it left, and one commit writes them all. A group whose rows are
// all cached is decided without a query.

import type pg from 'pg';
import { type DomainError, isDomainError } from '../base/domain-error.ts';
import { formatInstant } from '../base/instant.ts';
import { UNWRITABLE } from '../postgres/database-errors.ts';
import type { NamedStatement } from '../postgres/message-buffer.ts';
import { sendTogether } from '../postgres/send-together.ts';
import { StatementBatch } from '../postgres/statement-batch.ts';
import { type Batch, markSent, newBatch } from './batch.ts';
import type { Needs, Outcome, Submission } from './command.ts';
import { assumeNew, isCached, type LaneSession, load, lockHeads } from './load.ts';
import { clearCaches, isMoved, type LaneState } from './row-cache.ts';
import { answerKey, answerToReplay, loadAnswers } from './stored-answers.ts';
import { openUnitOfWork } from './unit-of-work.ts';
import { write } from './write.ts';

/** A submission whatever its types are: the queue holds all kinds. */
// biome-ignore lint/suspicious/noExplicitAny: each item's own types were checked where it was submitted
export type AnySubmission = Submission<any, any>;

export type Decision =
  | { readonly kind: 'done'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'refused'; readonly error: DomainError }
  | { readonly kind: 'broken'; readonly error: unknown };

/** Where the rows of a decision came from: all from the cache, or also from a query. */
export type RowSource = 'memory' | 'database';

export type Group = {
  readonly items: readonly AnySubmission[];
  readonly decisions: Decision[];
  readonly batch: Batch;
  readonly rows: RowSource;
};

/** These rows have to be loaded before the command can be decided. */
type Missing = { readonly kind: 'missing'; readonly needs: Needs };

const NO_NEEDS: Needs = {};

const keyOf = ({ guard, context }: AnySubmission): string | null =>
  guard ? answerKey({ marketplaceId: context.marketplaceId, keyHash: guard.keyHash }) : null;

/** What a group is decided on, and what it is about to write. */
type Deciding = {
  readonly state: LaneState;
  readonly batch: Batch;
  /** Only the fast path assumes that what is new does not exist: see assumed.ts. */
  readonly mayAssume: boolean;
};

/** A command and the time of its decision. */
type Timed = { readonly item: AnySubmission; readonly nowMicros: number };

/** The stored answer to this very request, a refusal when the key was used for another request, or null. */
const findReplay = ({ state, batch }: Deciding, { item, nowMicros }: Timed): Decision | null => {
  const key = keyOf(item);
  if (key === null) return null;
  const row = batch.answers.get(key) ?? state.answers.get(key);
  try {
    const answer = answerToReplay(row, { fingerprint: item.guard!.fingerprint, now: formatInstant(nowMicros) });
    return answer && { kind: 'done', outcome: { kind: 'replay', answer } };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { kind: 'refused', error };
  }
};

type Answered = Timed & { readonly result: { reply: unknown } | { error: DomainError } };

const storeAnswer = (batch: Batch, { item, nowMicros, result }: Answered) => {
  const { guard } = item;
  const answer = guard?.render(result) ?? null;
  if (!guard || !answer) return null;
  batch.answers.set(keyOf(item)!, {
    marketplaceId: item.context.marketplaceId,
    keyHash: guard.keyHash,
    fingerprint: guard.fingerprint,
    ...answer,
    createdAt: formatInstant(nowMicros),
    expiresAt: formatInstant(nowMicros + guard.retentionHours * 3_600_000_000),
  });
  return answer;
};

/** Decides one command on the cache, or names the rows that the cache lacks. */
const decideOnCache = (deciding: Deciding, item: AnySubmission): Decision | Missing => {
  const { state, batch, mayAssume } = deciding;
  const { command, context, input } = item;
  const cache = state.caches.get(context.marketplaceId);
  if (!cache) return { kind: 'missing', needs: NO_NEEDS };
  const isReady = (needs: Needs): boolean => {
    if (mayAssume) assumeNew(cache, { needs, assumptions: batch.assumptions });
    return isCached(cache, needs);
  };
  const needs = command.needs(input);
  if (!isReady(needs)) return { kind: 'missing', needs };

  const nowMicros = state.clock();
  batch.caches.add(cache);
  const replay = findReplay(deciding, { item, nowMicros });
  if (replay) return replay;
  const work = openUnitOfWork(cache, { batch, context, nowMicros, deadlineClock: state.deadlineClock });
  try {
    const next = command.needsNext?.(input, work) ?? NO_NEEDS;
    if (!isReady(next)) return { kind: 'missing', needs: next };
    const reply = command.decide(input, work);
    work.assertAudited();
    const answer = storeAnswer(batch, { item, nowMicros, result: { reply } });
    return { kind: 'done', outcome: { kind: 'reply', reply, answer } };
  } catch (error) {
    work.undo();
    if (!isDomainError(error)) return { kind: 'broken', error };
    storeAnswer(batch, { item, nowMicros, result: { error } });
    return { kind: 'refused', error };
  }
};

/** Whatever a command throws is the failure of that command and never of its group. */
const decideOne = (deciding: Deciding, item: AnySubmission): Decision | Missing => {
  try {
    return decideOnCache(deciding, item);
  } catch (error) {
    return { kind: 'broken', error };
  }
};

/** Empty for a command whose `needs` throws: deciding it throws the same error and answers with it. */
const needsOf = ({ command, input }: AnySubmission): Needs => {
  try {
    return command.needs(input);
  } catch {
    return NO_NEEDS;
  }
};

/** After a refusal that is not stored, only the database knows whether an earlier answer has to be repeated instead. */
const mayHaveEarlierAnswer = (batch: Batch, item: AnySubmission): boolean => {
  const key = keyOf(item);
  return key !== null && !batch.answers.has(key);
};

/**
 * If an assumption is wrong, its group fails. The group behind it then fails too, because the hash that it names was not written. A marketplace
 * that the group does not change keeps its hash: the group behind it would succeed, so it has to check the assumption itself.
 */
const forgetAboutUnchanged = ({ caches, assumptions }: Batch): void => {
  if (assumptions.length === 0) return;
  const changed = new Set([...caches].filter(isMoved).map(({ marketplaceId }) => marketplaceId));
  for (const assumption of assumptions) if (!changed.has(assumption.marketplaceId)) assumption.forget();
};

/** Decides the items from the cache alone, up to the first one that needs a query. */
export const decideFromCache = (state: LaneState, items: readonly AnySubmission[]): Group => {
  const batch = newBatch();
  const decisions: Decision[] = [];
  const deciding: Deciding = { state, batch, mayAssume: true };
  for (const item of items) {
    const assumedBefore = batch.assumptions.length;
    const decision = decideOne(deciding, item);
    if (decision.kind === 'missing' || (decision.kind === 'refused' && mayHaveEarlierAnswer(batch, item))) {
      for (const assumption of batch.assumptions.splice(assumedBefore)) assumption.forget();
      break;
    }
    decisions.push(decision);
  }
  forgetAboutUnchanged(batch);
  return { items: items.slice(0, decisions.length), decisions, batch, rows: 'memory' };
};

const FIND_AUDIT = 'select hash from audit_entries where marketplace_id = $1 and seq = $2';

/**
 * Whether a group whose commit got no answer was committed: then its last audit entry is in the database, with the same hash. The
 * heads must stay locked from before this query until its result was used: the lost commit may still wait for the locks, and could
 * otherwise succeed after the query.
 */
const wasCommitted = async (client: pg.Client, { batch }: Group): Promise<boolean> => {
  const last = batch.audits.at(-1);
  // The group changed nothing, so deciding it again loses nothing.
  if (!last) return false;
  const { rows } = await client.query<{ hash: string }>(FIND_AUDIT, [last.marketplaceId, last.seq]);
  return rows[0]?.hash === last.hash;
};

/** At most one of them: each was decided on the same hash of the head, and the first commit changes it. */
const findCommitted = async (client: pg.Client, lost: readonly Group[]): Promise<Group | null> => {
  for (const group of lost) if (await wasCommitted(client, group)) return group;
  return null;
};

const loadForGroup = async (session: LaneSession, items: readonly AnySubmission[]): Promise<void> => {
  const guarded = Map.groupBy(
    items.filter(({ guard }) => guard),
    ({ context }) => context.marketplaceId,
  );
  const wanted = items.map((item) => ({ marketplaceId: item.context.marketplaceId, needs: needsOf(item) }));
  const loading = [...guarded].map(([marketplaceId, own]) =>
    loadAnswers(session.client, { marketplaceId, keyHashes: own.map(({ guard }) => guard!.keyHash) }),
  );
  const [answers] = await Promise.all([Promise.all(loading), load(session, wanted)]);
  for (const row of answers.flat()) session.state.answers.set(answerKey(row), row);
};

/**
 * Locks the heads, loads what is not cached, and decides. The transaction stays open for `commitGroup`. `lost` are earlier commits of
 * the same commands that got no answer; when one of them has succeeded, it is returned and the transaction is over.
 */
export const decideWithDatabase = async (
  session: LaneSession,
  { items, lost }: { items: readonly AnySubmission[]; lost: readonly Group[] },
): Promise<Group> => {
  const { client, state } = session;
  const marketplaceIds = [...new Set(items.map((item) => item.context.marketplaceId))].sort();
  const begun = client.query('begin');
  begun.catch(() => {});
  await lockHeads(session, marketplaceIds);
  await begun;
  const committed = await findCommitted(client, lost);
  if (committed) {
    await client.query('rollback');
    return committed;
  }
  await loadForGroup(session, items);
  const batch = newBatch();
  const decisions: Decision[] = [];
  const deciding: Deciding = { state, batch, mayAssume: false };
  for (const item of items) {
    let decision = decideOne(deciding, item);
    while (decision.kind === 'missing') {
      await load(session, [{ marketplaceId: item.context.marketplaceId, needs: decision.needs }]);
      decision = decideOne(deciding, item);
    }
    decisions.push(decision);
  }
  return { items, decisions, batch, rows: 'database' };
};

/**
 * Waits for every statement, also after a failure, so that none is left unanswered. Throws the first failure. An error in answer to the
 * commit itself leaves the outcome open: a distributed database reports it also when the machine had committed and was lost before it
 * could say so. Such an error counts as a lost connection.
 */
const settleAll = async (sent: readonly Promise<unknown>[]): Promise<void> => {
  const results = await Promise.allSettled(sent);
  const failed = results.findIndex(({ status }) => status === 'rejected');
  if (failed < 0) return;
  const { reason } = results[failed] as PromiseRejectedResult;
  if (failed < results.length - 1) throw reason;
  throw new Error('the database did not confirm the commit', { cause: reason });
};

/** A batch that cannot be written: no retry helps, but without the command that caused it the other commands can go on. */
const unwritable = (cause: unknown): Error =>
  Object.assign(new Error('the decisions of a group cannot be written', { cause }), { code: UNWRITABLE });

/** The first statement of the message with the changes: if PostgreSQL refuses it, it skips the changes, and none is committed on its own. */
const BEGIN: NamedStatement = { name: 'begin', text: 'begin', values: [] };

/**
 * Writes and commits the group; resolves when it is durable. Everything is sent at once: if a statement fails, the commit of the
 * failed transaction is a rollback.
 */
export const commitGroup = (
  { client, state, isDistributed }: LaneSession,
  { group, begin }: { group: Group; begin: boolean },
): Promise<void> => {
  const { batch } = group;
  let written: StatementBatch;
  try {
    const changes = write(batch, { tables: state.tables, isDistributed });
    written = new StatementBatch(begin ? [BEGIN, ...changes] : changes);
  } catch (cause) {
    // The caches hold what will never be written, and nothing may be decided on that.
    clearCaches(state);
    return Promise.reject(unwritable(cause));
  }
  markSent(batch);
  const sent = sendTogether(client, [written, 'commit']);
  for (const [key, row] of batch.answers) state.answers.set(key, row);
  return settleAll(sent);
};

// One group, from the first lock to the commit: lock the heads, load what the commands need, let each decide in turn,
// write all outcomes, commit once. Two round trips when every need is known beforehand. It says what happened and leaves
// retrying, splitting and answering to the lane.

import type pg from 'pg';
import type { Desk, Needs, Outcome, Submission } from '../commands/command.ts';
import { Fault, isFault } from '../domain/fault.ts';
import { type Clock, formatInstant } from '../domain/instant.ts';
import { openDesk } from './desk.ts';
import { emptyState, type GroupState } from './group-state.ts';
import { answerKey, load, loadAnswers, lockHeads } from './load.ts';
import { write } from './write.ts';

/** A submission whatever its types are: the queue holds all kinds. */
// biome-ignore lint/suspicious/noExplicitAny: each item's own types were checked where it was submitted
export type AnySubmission = Submission<any, any>;

export type Decision =
  | { readonly kind: 'done'; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'refused'; readonly fault: Fault }
  | { readonly kind: 'broken'; readonly error: unknown };

export type GroupResult = {
  readonly decisions: Decision[];
  readonly events: number;
  readonly marketplacesWithEvents: string[];
};

/** The commit was sent and no answer came: only the database knows, and it can be asked by this id. */
export class LostCommit extends Error {
  readonly xid: string;
  readonly result: GroupResult;
  constructor(xid: string, result: GroupResult, cause: unknown) {
    super('the answer to a commit was lost', { cause });
    this.xid = xid;
    this.result = result;
  }
}

const ADD_MARKETPLACES = `insert into marketplaces (marketplace_id) select unnest($1::text[])
  on conflict (marketplace_id) do nothing`;

const hasMissing = (state: GroupState, marketplaceId: string, needs: Needs): boolean =>
  (needs.accounts ?? []).some((account) => !state.accounts.has(`${marketplaceId}/${account.id}`)) ||
  (needs.rows ?? []).some((need) =>
    'by' in need
      ? !state.lookups.has(`${marketplaceId}/${need.table}.${need.by}/${need.value}`)
      : !state.rows.has(`${marketplaceId}/${need.table}/${need.id}`),
  );

/** Asks again right before deciding, because an earlier command of the group may have changed what the answer depends on. */
const loadLateNeeds = async (client: pg.Client, state: GroupState, item: AnySubmission, desk: Desk): Promise<void> => {
  if (!item.command.needsNext) return;
  const { marketplaceId } = item.context;
  const needs = item.command.needsNext(item.input, desk);
  if (hasMissing(state, marketplaceId, needs)) await Promise.all(load(client, state, [{ marketplaceId, needs }]));
};

const storeAnswer = (
  state: GroupState,
  item: AnySubmission,
  options: { result: { reply: unknown } | { fault: Fault }; nowMicros: number },
) => {
  const { guard } = item;
  const answer = guard?.render(options.result) ?? null;
  if (!guard || !answer) return null;
  const { marketplaceId } = item.context;
  state.answers.set(answerKey(marketplaceId, guard.keyHash), {
    marketplaceId,
    keyHash: guard.keyHash,
    fingerprint: guard.fingerprint,
    ...answer,
    expiresAt: formatInstant(options.nowMicros + guard.retentionHours * 3_600_000_000),
    live: true,
    dirty: true,
  });
  return answer;
};

/** A stored answer for this very request, a refusal for another request under the same key, or nothing. */
const findReplay = (state: GroupState, item: AnySubmission, now: string): Decision | null => {
  if (!item.guard) return null;
  const stored = state.answers.get(answerKey(item.context.marketplaceId, item.guard.keyHash));
  if (!stored || stored.expiresAt <= now) return null;
  if (!stored.fingerprint.equals(item.guard.fingerprint)) {
    return { kind: 'refused', fault: new Fault('IDEMPOTENCY_KEY_REUSED') };
  }
  if (stored.status === null || stored.body === null) {
    return { kind: 'refused', fault: new Fault('IDEMPOTENCY_KEY_IN_PROGRESS') };
  }
  return { kind: 'done', outcome: { kind: 'replay', answer: { status: stored.status, body: stored.body } } };
};

const decideOne = async (
  client: pg.Client,
  state: GroupState,
  item: AnySubmission,
  nowMicros: number,
): Promise<Decision> => {
  const replay = findReplay(state, item, formatInstant(nowMicros));
  if (replay) return replay;
  const desk = openDesk(state, { context: item.context, nowMicros });
  try {
    if (item.command.needsNext) await loadLateNeeds(client, state, item, desk);
    const reply = item.command.decide(item.input, desk);
    return {
      kind: 'done',
      outcome: { kind: 'reply', reply, answer: storeAnswer(state, item, { result: { reply }, nowMicros }) },
    };
  } catch (error) {
    desk.undo();
    if (!isFault(error)) return { kind: 'broken', error };
    storeAnswer(state, item, { result: { fault: error }, nowMicros });
    return { kind: 'refused', fault: error };
  }
};

/** Every statement is awaited even when one fails, so that none is left unheard; the first failure is the one that counts. */
const settle = async (sent: readonly Promise<unknown>[]): Promise<void> => {
  const results = await Promise.allSettled(sent);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

export const runGroup = async (
  client: pg.Client,
  items: readonly AnySubmission[],
  options: { clock: Clock },
): Promise<GroupResult> => {
  const state = emptyState();
  const marketplaceIds = [...new Set(items.map((item) => item.context.marketplaceId))].sort();
  const guarded = items.filter((item) => item.guard);
  const firstNeeds = items.map((item) => ({
    marketplaceId: item.context.marketplaceId,
    needs: item.command.needs(item.input),
  }));

  try {
    let xid = '';
    await settle([
      client.query('begin'),
      client.query({ name: 'add-marketplaces', text: ADD_MARKETPLACES, values: [marketplaceIds] }),
      lockHeads(client, state, marketplaceIds).then((id) => {
        xid = id;
      }),
      ...load(client, state, firstNeeds),
      ...(guarded.length === 0
        ? []
        : [
            loadAnswers(
              client,
              state,
              guarded.map((item) => ({ marketplaceId: item.context.marketplaceId, keyHash: item.guard!.keyHash })),
            ),
          ]),
    ]);

    const nextNeeds = items.flatMap((item) => {
      if (!item.command.needsNext) return [];
      const desk = openDesk(state, { context: item.context, nowMicros: 0 });
      return [{ marketplaceId: item.context.marketplaceId, needs: item.command.needsNext(item.input, desk) }];
    });
    if (nextNeeds.length > 0) await settle(load(client, state, nextNeeds));

    const decisions: Decision[] = [];
    for (const item of items) decisions.push(await decideOne(client, state, item, options.clock()));

    const result = {
      decisions,
      events: state.events.length,
      marketplacesWithEvents: [...new Set(state.events.map((event) => event.marketplaceId))],
    };
    await commit(client, state, { xid, result });
    return result;
  } catch (error) {
    if (!(error instanceof LostCommit)) await client.query('rollback').catch(() => {});
    throw error;
  }
};

const commit = async (
  client: pg.Client,
  state: GroupState,
  options: { xid: string; result: GroupResult },
): Promise<void> => {
  const sent = write(client, state);
  // Sent together with the writes: if one of them fails, the commit of a failed transaction is a rollback.
  const ending = client.query(sent.length > 0 ? 'commit' : 'rollback');
  ending.catch(() => {});
  try {
    await settle(sent);
    await ending;
  } catch (error) {
    // A database error comes with a code and an answered (failed) transaction; without one the connection broke.
    if (sent.length > 0 && isConnectionLoss(error)) throw new LostCommit(options.xid, options.result, error);
    await ending.catch(() => {});
    throw error;
  }
};

/** SQLSTATE class 08 and 57P0x, or no SQLSTATE at all: the connection ended, and nobody said what became of the work. */
export const isConnectionLoss = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || code.startsWith('57P');
};

// A soak: the mix at a steady rate for as long as is asked, looked at all the while, and judged at the end: nothing lost,
// nothing doubled, every stream whole, the proof holds, and memory flat.

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Holdfast } from '@holdfast/sdk';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { orInterrupted } from '../../server/src/programs/interruption.ts';
import type { Settled } from './balances.ts';
import { type Context, openContext } from './clients.ts';
import { type Fixture, openFixture } from './environment.ts';
import { type Heard, openListeners } from './listeners.ts';
import { warningsIn } from './log-warnings.ts';
import { type KindName, MIX, nextKind } from './mix.ts';
import { fillTreasury, newUser, register } from './mix-users.ts';
import { openSampler, type Sample } from './samples.ts';

type SoakOptions = {
  readonly seed: number;
  /** Pieces of work that begin in a second; 0 for as many as fit, a few at once. */
  readonly rate: number;
  /** Ends when the time is over, or when so much work has begun. */
  readonly until: { readonly ms: number } | { readonly pieces: number };
  readonly users: number;
  readonly sampleEveryMs: number;
  /** Every so many samples, garbage is collected first. */
  readonly collectEvery: number;
  readonly database?: Connection;
  readonly nodeOptions?: readonly string[];
  /** Aborted: nothing new begins, and what is known is told. */
  readonly signal?: AbortSignal;
  /** Aborted: everything is put away, and nothing is told. */
  readonly atOnce?: AbortSignal;
  onProgress?(progress: Progress): void;
};

export type Progress = {
  readonly share: number;
  readonly pieces: number;
  readonly sample: Sample;
  readonly context: Context;
};

export type Soak = {
  readonly lengthMs: number;
  readonly pieces: ReadonlyMap<KindName, number>;
  readonly context: Context;
  readonly samples: readonly Sample[];
  readonly settled: Settled;
  readonly heard: readonly Heard[];
  readonly proofHolds: boolean;
  readonly chainHolds: boolean;
  readonly postgres: string;
  readonly warnings: ReadonlyMap<string, number>;
  /** Work that began late because too much was under way: the rate was more than the machine had to give. */
  readonly late: number;
};

const AT_ONCE_MAX = 200;
const AT_ONCE_UNPACED = 8;
const VISITORS = 3;
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

const prepare = async (fixture: Fixture, { seed, users }: SoakOptions): Promise<Context> => {
  const master = new Holdfast({ url: fixture.url, apiKey: fixture.masterKey });
  const { key } = await master.keys.create({ name: 'soak', scopes: ['*'] });
  const { key: readKey } = await master.keys.create({ name: 'soak, reading', scopes: ['read'] });
  const context = openContext({ fixture, key, readKey, seed });
  await fillTreasury(context);
  await Promise.all(Array.from({ length: users }, () => newUser(context)));
  for (let made = 0; made < VISITORS; made++) await register(context);
  return context;
};

/** Begins work by the clock, or a few at a time, until it is over; resolves when all of it has ended. */
const runMix = async (context: Context, options: SoakOptions) => {
  const { rate, until, signal } = options;
  const pieces = new Map<KindName, number>();
  const underWay = new Set<Promise<void>>();
  const begunAt = performance.now();
  let begun = 0;
  let late = 0;
  const share = (): number => ('ms' in until ? (performance.now() - begunAt) / until.ms : begun / until.pieces);

  const begin = (): void => {
    const kind = nextKind(context);
    begun++;
    pieces.set(kind, (pieces.get(kind) ?? 0) + 1);
    const work: Promise<void> = MIX[kind]
      .work(context)
      .catch((error: unknown) => context.recorder.odd(`${kind}: ${error instanceof Error ? error.message : error}`))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  const running = (async () => {
    const atOnce = rate === 0 ? AT_ONCE_UNPACED : AT_ONCE_MAX;
    while (share() < 1 && signal?.aborted !== true) {
      context.recorder.enter(Math.floor(share() * context.parts));
      if (underWay.size >= atOnce) {
        if (rate > 0) late++;
        await Promise.race(underWay);
        continue;
      }
      if (rate > 0) await pause(Math.max(0, begunAt + (begun * 1_000) / rate - performance.now()));
      begin();
    }
    await Promise.all(underWay);
  })();
  return { running, pieces, begun: () => begun, share, late: () => late, elapsedMs: () => performance.now() - begunAt };
};

/** Deposits are taken in at the watcher's leisure. */
const whenSettled = async ({ userBalances, fixture }: Context): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS;
  while ((await userBalances.differences(fixture.pool)).length > 0 && performance.now() < deadline)
    await pause(LOOK_MS);
};

const soak = async (cleanUp: AsyncDisposableStack, options: SoakOptions): Promise<Soak> => {
  const fixture = await openFixture(cleanUp, {
    withSandbox: true,
    ...(options.database ? { database: options.database, env: { DEPOSIT_POLL_S: '1' } } : {}),
    ...(options.nodeOptions ? { nodeOptions: options.nodeOptions } : {}),
  });
  const context = await prepare(fixture, options);
  const listeners = openListeners(context.streams, fixture.pool);
  cleanUp.defer(() => listeners.close());
  const look = await openSampler(fixture);
  const samples: Sample[] = [];
  const mix = await runMix(context, options);
  let isOver = false;
  const ended = mix.running.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  const sampling = (async () => {
    for (let taken = 0; !isOver; taken++) {
      const sample = await look({ collect: taken % options.collectEvery === 0 });
      samples.push(sample);
      options.onProgress?.({ share: Math.min(1, mix.share()), pieces: mix.begun(), sample, context });
      await Promise.race([ended, pause(options.sampleEveryMs, undefined, { ref: false })]);
    }
  })();
  await Promise.all([ended, sampling]);
  const lengthMs = mix.elapsedMs();
  samples.push(await look({ collect: true }));

  await whenSettled(context);
  const settled = await context.userBalances.settle(fixture.pool);
  const heard = await listeners.settle();
  for (const trouble of listeners.troubles) context.recorder.odd(`a stream failed: ${trouble}`);
  const proof = await context.reads.audit.proof();
  const chain = await context.reads.audit.verify();
  const { rows } = await fixture.pool.query<{ server_version: string }>('show server_version');
  const warnings = await warningsIn(path.join(fixture.folder, 'server.log'));
  return {
    warnings,
    lengthMs,
    pieces: mix.pieces,
    context,
    samples,
    settled,
    heard,
    late: mix.late(),
    proofHolds: proof.holds,
    chainHolds: chain.holds,
    postgres: rows[0]!.server_version.split(' ')[0]!,
  };
};

export const runSoak = async (options: SoakOptions): Promise<Soak> => {
  await using cleanUp = new AsyncDisposableStack();
  return await orInterrupted(soak(cleanUp, options), options.atOnce);
};

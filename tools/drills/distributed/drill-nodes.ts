// Drills: a worker of a cluster is killed under load, and its coordinator. What cannot be served is refused quickly, everything else goes on,
// and after the start nothing that was acknowledged is missing.

import type { Node } from '../../distributed/nodes.ts';
import type { Service } from '../server.ts';
import { type Drill, forSeconds, type Stage } from '../stage.ts';
import { type ClusterStage, openCluster, shopsBy } from './cluster.ts';
import { payUnnoticed, untilPolled } from './polled-payments.ts';
import { type Shop, seenBetween, shopsProgress } from './shops.ts';
import { proveShops } from './shops-proof.ts';

const CREDITS_MIN = 20;
/** A caller of a marketplace whose worker is gone has an answer within this time. */
const WORKER_MS = 5_000;
/** A silent worker is noticed first. */
const SILENT_MS = 10_000;
/** For a command that was on its way, a server waits up to 10 s for its whole database, so that a restart is not noticed. */
const COORDINATOR_MS = 13_000;
/** The beginning of the findings about times, which depend on the machine. */
export const IN_TIME = 'their callers have an answer within';
/** Requests that were on their way when the node was killed may still be acknowledged. */
const SETTLE_S = 1;
/** The server asks the machines every two seconds, and gives a connection three seconds. */
const NOTICED_S = 7;

type Window = {
  readonly killedAt: number;
  readonly from: number;
  readonly to: number;
};

type Break = {
  readonly node: Node;
  readonly seconds: number;
  /** Stopped instead of killed: it keeps its connections, and answers nothing. */
  readonly isSilent?: boolean;
  /** What is done while it is down. It stays down until this has ended. */
  during?(): Promise<void>;
};

const breakNode = async (stage: Stage, { node, seconds, isSilent, during }: Break): Promise<Window> => {
  stage.say(`${node.name} is ${isSilent ? 'silent' : 'killed'} for ${seconds} s`);
  const killedAt = performance.now();
  await (isSilent ? node.freeze() : node.kill());
  // The end of the drill waits for the node.
  if (isSilent) stage.afterwards(node.thaw);
  await forSeconds(isSilent ? NOTICED_S : SETTLE_S);
  const from = performance.now();
  await during?.();
  await forSeconds(seconds);
  const to = performance.now();
  await (isSilent ? node.thaw() : node.start());
  stage.say(`${node.name} runs again`);
  return { killedAt, from, to };
};

type Refused = {
  readonly shops: readonly Shop[];
  readonly window: Window;
  readonly withinMs: number;
  /** Otherwise a caller may also wait until the node is back. */
  readonly isRefused: boolean;
};

const foundRefused = (stage: Stage, { shops, window, withinMs, isRefused }: Refused): void => {
  const { acknowledged } = seenBetween(shops, window);
  const { refused, statuses, codes, longestMs, times } = seenBetween(shops, { from: window.killedAt, to: window.to });
  stage.found('marketplaces of the killed node are refused with 503 while it is down', {
    holds: acknowledged === 0 && (refused > 0 || !isRefused) && [...statuses].every((status) => status === 503),
    detail: `${codes}, ${acknowledged} acknowledged`,
  });
  stage.found(`${IN_TIME} ${withinMs / 1_000} s`, { holds: longestMs < withinMs, detail: times });
};

type Served = { readonly shops: readonly Shop[]; readonly window: Window };

const foundServed = (stage: Stage, { shops, window: { killedAt: from, to } }: Served): void => {
  const before = seenBetween(shops, { from: from - (to - from), to: from });
  const { acknowledged, orders, refused, codes, times } = seenBetween(shops, { from, to });
  stage.found('balances of all other marketplaces can be changed', {
    holds: acknowledged > 0 && refused === 0,
    detail: `${acknowledged} credits (${before.acknowledged} in as long before), ${codes}; ${times}`,
  });
  const detail = `${orders} completed while it was down (${before.orders} in as long before)`;
  stage.found('orders of all other marketplaces are completed', { holds: orders > 0, detail });
};

/** Answers that came late are judged too, so everything is waited for first. */
const untilBack = async ({ shops }: ClusterStage): Promise<number> => {
  const startedAt = performance.now();
  await shopsProgress(shops, CREDITS_MIN);
  return Math.round(performance.now() - startedAt);
};

const foundBack = (stage: Stage, { service, tookMs }: { service: Service; tookMs: number }): void =>
  stage.found('after its start every marketplace works again, without an operator', {
    holds: service.exits.length === 0,
    detail: `${CREDITS_MIN} credits and an order in each after ${tookMs} ms; the server was restarted ${service.exits.length} times`,
  });

const loseWorkers =
  ({ isSilent }: { isSilent: boolean }): Drill['play'] =>
  async (stage, { seconds }) => {
    const cluster = await openCluster(stage);
    for (const node of cluster.nodes.workers) {
      const { ofWorker, others } = await shopsBy(cluster, node);
      const topups = await payUnnoticed(cluster, others);
      const during = async (): Promise<void> => {
        const tookMs = await untilPolled(cluster.pool, topups).catch(() => null);
        stage.found('jobs of all other marketplaces go on', {
          holds: tookMs !== null,
          detail: `${topups.length} payments that no webhook reported, found by polls after ${tookMs} ms`,
        });
      };
      const window = await breakNode(stage, { node, seconds, isSilent, during });
      const tookMs = await untilBack(cluster);
      const withinMs = isSilent ? SILENT_MS : WORKER_MS;
      foundRefused(stage, { shops: ofWorker, window, withinMs, isRefused: true });
      foundServed(stage, { shops: others, window });
      foundBack(stage, { ...cluster, tookMs });
    }
    await proveShops(stage, cluster);
  };

export const killWorker: Drill = {
  name: 'worker',
  about: 'each worker of a distributed database is killed under load; only its marketplaces stop (needs Citus)',
  seconds: 10,
  play: loseWorkers({ isSilent: false }),
};

export const silenceWorker: Drill = {
  name: 'silent-worker',
  about: 'each worker of a distributed database stops answering under load, without an error (needs Citus)',
  seconds: 10,
  play: loseWorkers({ isSilent: true }),
};

const playCoordinator: Drill['play'] = async (stage, { seconds }) => {
  const cluster = await openCluster(stage);
  const window = await breakNode(stage, { node: cluster.nodes.coordinator, seconds });
  const tookMs = await untilBack(cluster);
  foundRefused(stage, { shops: cluster.shops, window, withinMs: COORDINATOR_MS, isRefused: false });
  foundBack(stage, { ...cluster, tookMs });
  await proveShops(stage, cluster);
};

export const killCoordinator: Drill = {
  name: 'coordinator',
  about: 'the coordinator of a distributed database is killed under load (needs Citus)',
  seconds: 10,
  play: playCoordinator,
};

// Drill: PostgreSQL runs as a pair under Patroni, and the primary is lost under load, once by kill -9 and once by a planned switchover. The
// other one takes over at the same address, nothing that was acknowledged is lost, and the old primary comes back as a replica.

import { type Pair, startPair, untilWhole } from '../../patroni/pair.ts';
import { findPatroni, PATRONI_MISSING } from '../../patroni/programs.ts';
import { openBooks } from '../database.ts';
import { endings, openMarket } from '../market.ts';
import { openReaders, proveMarket } from '../market-proof.ts';
import { runSandbox } from '../sandbox.ts';
import { freePort, runService } from '../server.ts';
import { type Drill, forSeconds, notPlayed, type Stage, until } from '../stage.ts';
import { beginCredits, type Credits, type Figures, figuresOf } from './credits.ts';

const CREDITS_MIN = 50;

type Loss = {
  readonly name: string;
  strike(primary: string, other: string): Promise<void>;
  restart(primary: string): Promise<void>;
};

type Round = { readonly name: string; readonly from: number; readonly to: number; readonly roles: string };

const lossesOf = (pair: Pair): Loss[] => {
  const nodeOf = (name: string) => pair.nodes.find((node) => node.name === name)!;
  return [
    {
      name: 'kill -9',
      strike: (primary) => nodeOf(primary).kill(),
      restart: (primary) => nodeOf(primary).start(),
    },
    { name: 'switchover', strike: (primary, other) => pair.switchover(primary, other), restart: async () => {} },
  ];
};

const primaryOf = async (pair: Pair): Promise<string | null> => {
  const members = await pair.members();
  return members.find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null;
};

type Play = { readonly pair: Pair; readonly credits: Credits; readonly seconds: number; untilOrders(): Promise<void> };

const playRound = async (stage: Stage, loss: Loss, { pair, credits, seconds, untilOrders }: Play): Promise<Round> => {
  const from = performance.now();
  await credits.progress(CREDITS_MIN);
  await untilOrders();
  await forSeconds(seconds);
  const primary = (await primaryOf(pair))!;
  const other = pair.nodes.find(({ name }) => name !== primary)!.name;
  stage.say(`${loss.name}: ${primary} was the primary, ${other} has to take over`);
  await loss.strike(primary, other);
  await until(async () => (await primaryOf(pair)) === other, `${other} is the primary`);
  await credits.progress(CREDITS_MIN);
  stage.say(`${loss.name}: ${other} is the primary, and the service works`);
  await untilOrders();
  await loss.restart(primary);
  await untilWhole(pair);
  await credits.progress(CREDITS_MIN);
  const members = await pair.members();
  const roles = members.map(({ name, role, timeline }) => `${name} ${role} on timeline ${timeline}`).join(', ');
  const isBack = members.some(({ name, role }) => name === primary && role === 'sync_standby');
  stage.found(`after the ${loss.name} the other one is the primary, and the old one its synchronous replica`, {
    holds: isBack && (await primaryOf(pair)) === other,
    detail: roles,
  });
  return { name: loss.name, from, to: performance.now(), roles };
};

const TABLE_HEAD = [
  '| Loss of the primary | Acknowledged | Sent again | Of unknown outcome | Found already written | Lost | Twice | Longest time without an acknowledgement |',
  '|---|---|---|---|---|---|---|---|',
];

const rowOf = (name: string, of: Figures): string => {
  const { acknowledged, repeated, unknown, replays, lost, twice, outageS } = of;
  const cells = [name, acknowledged, repeated, unknown, replays, lost, twice, `${outageS.toFixed(1)} s`];
  return `| ${cells.join(' | ')} |`;
};

const foundRound = (stage: Stage, name: string, of: Figures): void => {
  const { acknowledged, unknown, replays, lost, twice } = of;
  stage.found(`${name}: every acknowledged credit is in the books exactly once`, {
    holds: acknowledged >= CREDITS_MIN && lost === 0 && twice === 0,
    detail: `${acknowledged} credits, ${lost} lost, ${twice} twice`,
  });
  stage.found(`${name}: every credit of unknown outcome was decided by a repeat with its key`, {
    holds: of.open === 0,
    detail: `${unknown} unknown, ${replays} of them were written already, ${of.open} open`,
  });
};

const open = async (stage: Stage) => {
  const programs = await findPatroni();
  if (programs === null) throw notPlayed(PATRONI_MISSING, null);
  const pair = await startPair(stage, programs);
  const port = await freePort();
  const simulators = await runSandbox(stage, `http://127.0.0.1:${port}`);
  const env = { ...simulators.settings, DATABASE_URL: pair.url };
  const service = await runService(stage, { dataDir: await stage.folder(), port, env });
  const pool = openBooks(stage, pair.connection);
  const withdrawTo = ['crypto', 'payment_account'] as const;
  const { url, masterKey } = service;
  const market = await openMarket(stage, { url, masterKey, pool, simulators, withdrawTo });
  return { pair, service, simulators, pool, market };
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const { pair, service, simulators, pool, market } = await open(stage);
  const readers = openReaders(stage, market.client);
  const credits = await beginCredits(stage, service);
  const untilOrders = (): Promise<void> => endings(market, 1);
  const rounds: Round[] = [];
  for (const loss of lossesOf(pair)) rounds.push(await playRound(stage, loss, { pair, credits, seconds, untilOrders }));
  await credits.finish();
  stage.found('the server kept running', { holds: service.exits.length === 0, detail: `process ${service.pid()}` });
  await proveMarket(stage, { market, readers, pool, simulators });
  const rows: string[] = [];
  for (const round of rounds) {
    const figures = await figuresOf(credits, { ...round, pool });
    foundRound(stage, round.name, figures);
    rows.push(rowOf(round.name, figures));
  }
  for (const line of [...TABLE_HEAD, ...rows]) stage.say(line);
};

export const failover: Drill = {
  name: 'failover',
  about:
    'the primary of two PostgreSQL under Patroni is killed under load, then switched over; needs Patroni, etcd and HAProxy',
  seconds: 3,
  play,
};

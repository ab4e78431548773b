// Drill: the clock of the server leaps by an hour and back, and by five hours away from that of PostgreSQL and of the outside
// systems, in both directions, while everything is at work. Time may be wrong then; money and events must not be.

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { openAddress, openBooks, runDatabase } from './database.ts';
import { endings, type Market, openMarket } from './market.ts';
import { openReaders, proveMarket } from './market-proof.ts';
import { newTopup, payTopup } from './payment-scenarios.ts';
import { runSandbox } from './sandbox.ts';
import { freePort, runService, type Service } from './server.ts';
import { type Drill, forSeconds, type Stage, until } from './stage.ts';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'shifted-clock.ts')).href;
const HOUR_S = 3_600;
/** In seconds, against everybody else's clock. */
const LEAPS = [HOUR_S, 0, -HOUR_S, 5 * HOUR_S, -5 * HOUR_S, 0] as const;
/** At this time the server is killed too: retries that were scheduled by the old clock must run by the new one. */
const KILLED_AT = 5 * HOUR_S;
const NEAR_MS = 60_000;
const ENDED_MIN = 1;
const RATE = 3;
/** Only the job of every minute finds a payment whose webhook was refused: too long for a short form. */
const POLLED_FROM_S = 1;

type Clock = { leap(toS: number): Promise<void> };

const openClock = (service: Service, file: string): Clock => ({
  async leap(toS) {
    await writeFile(file, String(toS));
    process.kill(service.pid(), 'SIGUSR2');
    await until(async () => {
      const answer = await fetch(`${service.url}/api/v1/health`);
      const { meta } = (await answer.json()) as { meta: { timestamp: string } };
      return Math.abs(Date.parse(meta.timestamp) - Date.now() - toS * 1_000) < NEAR_MS;
    }, `the clock leapt by ${toS} s`);
  },
});

/** A user with records that depend on time: a token, a stored answer, a limit, an uncommitted withdrawal, an unpaid top-up. */
const openWitness = async ({ client }: Market, url: string) => {
  const { id: userId } = await client.users.create({ externalUserId: 'witness', email: 'witness@shop.example' });
  const idempotencyKey = randomUUID();
  const credit = { amount: '5.00', reference: 'witness' };
  await client.balances.credit(userId, credit, { idempotencyKey });
  const { id: keyId } = await client.keys.create({ name: 'witness', scopes: ['*'] });
  const { token } = await client.keys.token(keyId);
  const limited = await client.keys.create({ name: 'limited', scopes: ['read'], rateLimit: RATE });
  const destination = { type: 'payment_account' } as const;
  const withdrawal = await client.withdrawals.create({ userId, amount: '1.00', currency: 'USD', destination });
  const statusWith = async (key: string): Promise<number> =>
    (await fetch(`${url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${key}` } })).status;

  return {
    userId,
    tokenStatus: () => statusWith(token),
    limitedStatus: () => statusWith(limited.key),
    withdrawalStatus: async () => (await client.withdrawals.get(withdrawal.id)).status,
    /** What the same key gives with the same body, and with another. */
    async repeat(): Promise<string> {
      await client.balances.credit(userId, credit, { idempotencyKey });
      const other = client.balances.credit(userId, { ...credit, amount: '6.00' }, { idempotencyKey });
      const refused = await other.then(
        () => 'taken',
        (error) => (error instanceof HoldfastError ? error.code : String(error)),
      );
      const { available } = await client.balances.get(userId);
      return `${available} ${refused}`;
    },
  };
};

const open = async (stage: Stage) => {
  const database = await runDatabase(stage, { dataDir: await stage.folder() });
  const address = await openAddress(stage);
  await address.pointAt(database);
  const port = await freePort();
  const simulators = await runSandbox(stage, `http://127.0.0.1:${port}`);
  const file = path.join(await stage.folder(), 'offset');
  await writeFile(file, '0');
  const shifted = { NODE_OPTIONS: `--import=${PRELOAD}`, DRILL_CLOCK: file };
  const env = { ...simulators.settings, ...shifted, DATABASE_URL: address.url };
  const service = await runService(stage, { dataDir: await stage.folder(), port, env });
  const pool = openBooks(stage, address.connection);
  const { url, masterKey } = service;
  const market = await openMarket(stage, { url, masterKey, pool, simulators, withdrawTo: ['crypto'] });
  return { service, simulators, pool, market, clock: openClock(service, file) };
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const { service, simulators, pool, market, clock } = await open(stage);
  const readers = openReaders(stage, new Holdfast({ url: service.url, apiKey: service.masterKey }));
  const witness = await openWitness(market, service.url);
  const topup = await newTopup(market, witness.userId);
  const unseen = seconds >= POLLED_FROM_S ? await newTopup(market, witness.userId) : null;
  const tokens: string[] = [];
  const repeats = new Set<string>();
  const parked = new Set<string>();
  for (const toS of [0, ...LEAPS]) {
    stage.say(`${market.ended()} scenarios completed; the clock of the server jumps to ${toS} s`);
    await clock.leap(toS);
    if (toS === HOUR_S) {
      while ((await witness.limitedStatus()) !== 429);
      if (unseen !== null) await simulators.sendControl(`POST /payins/${unseen}/confirm`);
    }
    if (toS === KILLED_AT) {
      await endings(market, ENDED_MIN);
      await service.kill('SIGKILL');
      await service.ready();
    }
    await endings(market, ENDED_MIN);
    await forSeconds(seconds);
    tokens.push(`${toS} s: ${await witness.tokenStatus()}`);
    repeats.add(await witness.repeat());
    parked.add(`${await witness.withdrawalStatus()} ${(await market.client.topups.get(topup)).status}`);
    if (toS === 0 && tokens.length === 3) {
      const status = await witness.limitedStatus();
      stage.found('the rate limit does not wait for an hour that the clock repeats', {
        holds: status === 200,
        detail: `rate limit: ${status}`,
      });
    }
  }
  const expected = [0, ...LEAPS].map((toS) => `${toS} s: ${toS >= HOUR_S ? 401 : 200}`);
  stage.found('a token expires after an hour of the clock of the server', {
    holds: tokens.join() === expected.join(),
    detail: tokens.join(', '),
  });
  stage.found('a repeated request with its Idempotency-Key takes effect once', {
    holds: [...repeats].join() === '4.00 IDEMPOTENCY_KEY_REUSED',
    detail: [...repeats].join(', '),
  });
  stage.found('a top-up and a withdrawal that expire after a day do not expire after an hour', {
    holds: [...parked].join() === 'WITHDRAWAL_CREATED TOPUP_AWAITING_USER_CONFIRMATION',
    detail: [...parked].join(', '),
  });
  const { userId } = witness;
  const paid = [await payTopup(market, { userId, id: topup, comesBack: true })];
  if (unseen !== null) paid.push(await payTopup(market, { userId, id: unseen, comesBack: false }));
  stage.found('a payment that was reported while the clock was wrong is found', {
    holds: paid.every(({ end }) => end === 'TOPUP_SUCCEEDED'),
    detail: unseen === null ? 'not tested with a short --seconds: the payer returned' : 'by its webhook or by the job',
  });
  await proveMarket(stage, { market, readers, pool, simulators });
};

export const clockLeaps: Drill = {
  name: 'clock',
  about: "the server's clock jumps by an hour and back, and to five hours from PostgreSQL's clock, under load",
  seconds: 5,
  play,
};

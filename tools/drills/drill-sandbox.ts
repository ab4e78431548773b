// Drill: the simulators of the outside systems, in a process of their own, are killed while orders, top-ups and withdrawals use
// them. They come back with everything that they had told anybody, and what was under way goes on by itself.

import { openAddress, openBooks, runDatabase } from './database.ts';
import { endings, openMarket } from './market.ts';
import { openReaders, proveMarket } from './market-proof.ts';
import { type Any, runSandbox, type Simulators } from './sandbox.ts';
import { freePort, runService } from './server.ts';
import { type Drill, forSeconds, type Stage } from './stage.ts';

const ROUNDS_MAX = 3;
const ENDED_MIN = 2;

/** By name and what must not be different later: a transaction, a contract, a payment and whom it is for. */
const memoryOf = (state: Any): Map<string, string> =>
  new Map([
    ...state.transactions.map(({ hash, successful, ledger }: Any) => [hash, `${ledger} ${successful}`]),
    ...state.contracts.map(({ contractId }: Any) => [contractId, '']),
    ...state.accounts.map(({ address }: Any) => [address, '']),
    ...[...state.payins, ...state.payouts].map(({ id, code, amount }: Any) => [id, `${code} ${amount}`]),
  ]);

const strike = async (simulators: Simulators): Promise<{ remembered: number; forgotten: string[] }> => {
  const before = memoryOf(await simulators.sendControl('GET /state'));
  await simulators.program.kill('SIGKILL');
  await simulators.program.ready();
  const after = memoryOf(await simulators.sendControl('GET /state'));
  const forgotten = [...before].filter(([name, what]) => after.get(name) !== what).map(([name]) => name);
  return { remembered: before.size, forgotten };
};

/** A server and the simulators as processes of their own, and a marketplace that uses both. */
export const openMarketService = async (stage: Stage) => {
  const database = await runDatabase(stage, { dataDir: await stage.folder() });
  const address = await openAddress(stage);
  await address.pointAt(database);
  const port = await freePort();
  const simulators = await runSandbox(stage, `http://127.0.0.1:${port}`);
  const env = { ...simulators.settings, DATABASE_URL: address.url };
  const service = await runService(stage, { dataDir: await stage.folder(), port, env });
  const pool = openBooks(stage, address.connection);
  const withdrawTo = ['crypto', 'payment_account'] as const;
  const { url, masterKey } = service;
  const market = await openMarket(stage, { url, masterKey, pool, simulators, withdrawTo });
  return { service, simulators, pool, market };
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const { service, simulators, pool, market } = await openMarketService(stage);
  const readers = openReaders(stage, market.client);
  let remembered = 0;
  let forgotten: string[] = [];
  // Each costs several starts: a short form has one.
  const rounds = Math.min(Math.ceil(seconds), ROUNDS_MAX);
  for (let round = 1; round <= rounds; round++) {
    await endings(market, ENDED_MIN);
    await forSeconds(seconds);
    stage.say(`Round ${round} of ${rounds}: ${market.ended()} scenarios completed, now the simulators are killed`);
    const struck = await strike(simulators);
    remembered = struck.remembered;
    forgotten = [...forgotten, ...struck.forgotten];
  }
  await endings(market, ENDED_MIN);
  stage.found('each kill ended the simulators, and they were started again', {
    holds: simulators.program.exits.length === rounds,
    detail: simulators.program.exits.map(({ code, signal }) => signal ?? `code ${code}`).join(', '),
  });
  stage.found('the simulators have their state again: every transaction, contract, account and payment', {
    holds: forgotten.length === 0,
    detail: forgotten.join(' ') || `${remembered} remembered at the last kill`,
  });
  stage.found('the server kept running', {
    holds: service.exits.length === 0,
    detail: `process ${service.pid()}`,
  });
  await proveMarket(stage, { market, readers, pool, simulators });
};

export const killSandbox: Drill = {
  name: 'kill-sandbox',
  about: 'kill -9 of the simulators of the outside systems under orders, top-ups and withdrawals, three times',
  seconds: 4,
  play,
};

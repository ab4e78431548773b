// Drill: the journal of a marketplace at work is exported, the server is killed, and the same range is exported again. In the end
// bookkeeping tools read the whole journal and have the sums of the books and of the proof.

import type { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { compareBooks, textOf } from '../outside-books/compare-books.ts';
import { openMarketService } from './drill-sandbox.ts';
import { endings } from './market.ts';
import { openReaders, proveMarket } from './market-proof.ts';
import { type Drill, forSeconds, type Stage } from './stage.ts';

const ENDED_MIN = 2;
const FORMATS = ['csv', 'jsonl', 'hledger', 'beancount'] as const;

type Range = { readonly client: Holdfast; readonly to: string };

const exportAll = async ({ client, to }: Range): Promise<string[]> => {
  const files: string[] = [];
  for (const format of FORMATS) files.push(await textOf((await client.exports.journal({ format, to })).bytes));
  return files;
};

const compare = async (stage: Stage, { client, pool }: { client: Holdfast; pool: pg.Pool }): Promise<void> => {
  const { readers, accounts, differences, figures } = await compareBooks({
    marketplaceId: 'mkt_default',
    sql: async (text, values) => (await pool.query(text, values)).rows,
    readJournal: async (format) => textOf((await client.exports.journal({ format })).bytes),
    readProof: () => client.audit.proof({ full: true }),
  });
  for (const line of figures) stage.say(line);
  stage.found('the journal has the sums of the books and of the proof, as every reader adds it up', {
    holds: differences.length === 0,
    detail: differences.join('; ') || `${accounts} accounts, read by ${readers.join(', ')}`,
  });
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const { service, simulators, pool, market } = await openMarketService(stage);
  const { client } = market;
  const readers = openReaders(stage, client);
  await endings(market, ENDED_MIN);
  await forSeconds(seconds);
  const range = { client, to: new Date().toISOString() };
  const before = await exportAll(range);
  stage.say(`${before[1]!.split('\n').length - 2} transfers exported, now the server is killed`);
  await service.kill('SIGKILL');
  await service.ready();
  const after = await exportAll(range);
  stage.found('the same range has the same bytes after the kill, in every format', {
    holds: after.every((text, at) => text === before[at]) && before.every((text) => text.length > 0),
    detail: FORMATS.map((format, at) => `${format} ${before[at]!.length} bytes`).join(', '),
  });
  await endings(market, ENDED_MIN);
  await proveMarket(stage, { market, readers, pool, simulators });
  await compare(stage, { client, pool });
};

export const journal: Drill = {
  name: 'journal',
  about: 'the journal is exported before and after kill -9 of the server, and bookkeeping tools read it',
  seconds: 4,
  play,
};

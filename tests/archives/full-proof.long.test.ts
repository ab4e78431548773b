// The full proof and the full verification read the files of archived months: they name a file that is missing or differs, in bounded
// memory, one at a time, and what they found is shown until the next time.

import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { snakeCase } from '../../server/src/base/snake-case.ts';
import { auditHash } from '../../server/src/commit/audit-hash.ts';
import { NO_ENDS } from '../../server/src/modules/archives/account-ends.ts';
import { formatManifest, type Manifest, manifestFile } from '../../server/src/modules/archives/manifest.ts';
import { SLICE_ROWS, type Slice, writeSlice } from '../../server/src/modules/archives/slices.ts';
import { type FolderResult, verifyFolders } from '../../server/src/modules/archives/verify-folders.ts';
import { startApp } from '../support/app.ts';
import { openHistory, temporaryFolder, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const FILE = 'postings-0001.jsonl.zst';

// biome-ignore lint/suspicious/noExplicitAny: replies of two routes
type Reply = any;

/** Two of three months are archived. */
const openArchived = async (t: TestContext) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  history.at('2025-07', 1);
  assert.deepEqual(await history.archiveAll(), ['2025-01', '2025-02']);
  const app = await startApp(t, { connection: history.connection, env: { ARCHIVE_DIR: history.folder } });
  const key = await app.key(['read'], history.marketplaceId);
  const ask = async (request: string): Promise<Reply> => {
    const { status, body } = await app.call(`GET ${request}`, { key });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const folder = path.join(history.folder, history.marketplaceId, '2025-02');
  return { history, app, ask, folder };
};

const ROUTES = ['/audit/proof', '/audit/verify'];
const foundOf = ({ archives }: Reply) =>
  archives.map(({ period, holds, file }: Reply) => [period, holds, file] as const);

test('a full proof reads the archives, and each later answer shows what it found', async (t) => {
  const { history, ask } = await openArchived(t);
  for (const route of ROUTES) {
    const { archives } = await ask(route);
    assert.partialDeepStrictEqual(archives[0], { period: '2025-01', state: 'REMOVED', checkedAt: null, holds: null });
  }
  const proof = await ask('/audit/proof?full=true');
  assert.equal(proof.holds, true);
  assert.equal(proof.checks.find(({ name }: Reply) => name === 'archives-hold').holds, true);
  const chain = await ask('/audit/verify?full=true');
  assert.equal(chain.holds, true);
  const { rows } = await history.pool.query(
    'select last_seq::int as last, manifest_hash as hash from archives order by 1',
  );
  const [january] = chain.archives;
  assert.deepEqual(
    [january.firstSequence, january.lastSequence, january.manifestHash],
    [1, rows[0].last, rows[0].hash],
  );
  assert.equal(january.folder, `${history.marketplaceId}/2025-01`);
  for (const route of ROUTES) {
    assert.deepEqual(foundOf(await ask(route)), [
      ['2025-01', true, null],
      ['2025-02', true, null],
    ]);
  }
});

test('a missing file, an altered file and a missing folder are named, and the proof does not hold', async (t) => {
  const { ask, folder } = await openArchived(t);
  const file = path.join(folder, FILE);
  const content = await readFile(file);
  const expectBroken = async (problem: RegExp, name: string): Promise<void> => {
    for (const route of ROUTES) {
      const reply = await ask(`${route}?full=true`);
      assert.equal(reply.holds, false, route);
      assert.deepEqual(foundOf(reply), [
        ['2025-01', true, null],
        ['2025-02', false, name],
      ]);
      assert.match(reply.archives[1].problem, problem);
      // What was found stays until the next full proof.
      assert.deepEqual(foundOf(await ask(route)), foundOf(reply));
    }
  };
  await rm(file);
  await expectBroken(/postings-0001\.jsonl\.zst is missing\.$/, FILE);
  await writeFile(file, content.subarray(1));
  await expectBroken(/postings-0001\.jsonl\.zst was altered/, FILE);
  await writeFile(file, content);
  assert.equal((await ask('/audit/proof?full=true')).holds, true);
  // Nothing can be kept beside archives that are gone.
  const parent = path.dirname(folder);
  await rename(parent, `${parent}.away`);
  const { archives, holds } = await ask('/audit/proof?full=true');
  assert.equal(holds, false);
  assert.ok(archives.every(({ holds, file }: Reply) => holds === false && file === 'manifest.json'));
  assert.ok((await ask('/audit/verify')).archives.every(({ holds }: Reply) => holds === false));
});

test('accounts that end elsewhere than in the archives are found, although every file is right', async (t) => {
  const { history, ask } = await openArchived(t);
  const change = 'update archived_accounts set postings = postings + $2 where marketplace_id = $1 and postings > 0';
  await history.pool.query(change, [history.marketplaceId, 1]);
  const { holds, archives } = await ask('/audit/verify?full=true');
  assert.equal(holds, false);
  assert.match(archives[1].problem, /^Accounts end elsewhere/);
  await history.pool.query(change, [history.marketplaceId, -1]);
  assert.equal((await ask('/audit/verify?full=true')).holds, true);
});

const ACCOUNTS = 240_000;

const ENTRY = {
  seq: 1n,
  occurredAt: '2025-01-05T12:00:00.000000Z',
  action: 'BALANCE_CREDITED',
  resourceType: 'Balance',
  resourceId: 'usr_1',
  userId: null,
  payloadBefore: null,
  payloadAfter: null,
  actorType: 'system',
  actorId: 'test',
  result: 'SUCCESS',
  correlationId: 'req_1',
};
const HASH = auditHash('', ENTRY);

const entryLine = (): string =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(ENTRY).map(([name, value]) => [snakeCase(name), value])),
    seq: 1,
    hash: HASH,
  });

/** One posting of each of very many accounts. */
const writeLarge = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const lineOf = (n: number): string =>
    JSON.stringify({
      account_id: `usr_${String(n).padStart(26, '0')}:available:USD`,
      seq: 1,
      amount: n % 2 === 0 ? 5 : -5,
      balance_after: n % 2 === 0 ? 5 : -5,
      audit_seq: 1,
      posted_at: '2025-01-05T12:00:00+00:00',
    });
  const files: Slice[] = [await writeSlice(folder, { table: 'audit_entries', number: 1, lines: [entryLine()] })];
  for (let from = 0; from < ACCOUNTS; from += SLICE_ROWS) {
    const lines = Array.from({ length: SLICE_ROWS }, (_, at) => lineOf(from + at));
    files.push(await writeSlice(folder, { table: 'postings', number: files.length, lines }));
  }
  const manifest: Manifest = {
    format: 1,
    holdfast: 'test',
    marketplaceId: 'mkt_large',
    id: '2025-01',
    endsAt: '2025-02-01T00:00:00.000000Z',
    audit: { first: '1', last: '1', hashBefore: '', hashAfter: HASH },
    rows: { audit_entries: 1, postings: ACCOUNTS } as Manifest['rows'],
    sums: [{ kind: 'user-available', currency: 'USD', sum: '0' }],
    files,
    previous: null,
  };
  const { text, hash } = formatManifest(manifest);
  await writeFile(manifestFile(folder), text);
  return hash;
};

test('the heap of a verification does not grow with the accounts of an archive', async (t) => {
  const folder = path.join(await temporaryFolder(t), '2025-01');
  const manifestHash = await writeLarge(folder);
  const results: FolderResult[] = [];
  await verifyFolders({
    folders: [{ folder, manifestHash }],
    key: 'key',
    heapMiB: 16,
    onResult: (result) => results.push(result),
  });
  assert.deepEqual([results[0]?.problem, results.length], [null, 1]);
  assert.notDeepEqual(results[0]?.ends, NO_ENDS);
});

test('a verification ends when its caller leaves', async (t) => {
  const folder = path.join(await temporaryFolder(t), '2025-01');
  const manifestHash = await writeLarge(folder);
  const left = new AbortController();
  const verification = verifyFolders({
    folders: [{ folder, manifestHash }],
    key: 'key',
    left: left.signal,
    onResult: () => assert.fail('it went on'),
  });
  left.abort();
  await assert.rejects(verification, { code: 'SERVICE_UNAVAILABLE' });
});

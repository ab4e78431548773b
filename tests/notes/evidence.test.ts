// The routes of evidence, by status: what is stored, how it is downloaded, hostile names and types, and the limits.

import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { eventsOf, openTrade, type Row, UNKNOWN } from '../contract/order-fixture.ts';
import { codeOf, type TestApp } from '../support/app.ts';
import { anOperator } from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const BYTES = Buffer.from('%PDF-1.7 The parcel was open. ✓');

const FILE = {
  fileName: 'parcel.pdf',
  contentType: 'application/pdf',
  content: BYTES.toString('base64'),
  submittedBy: 'BUYER',
};

const MIB = 1_048_576;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const fileOf = (size: number) => ({ ...FILE, content: randomBytes(size).toString('base64') });

const openDispute = async (t: Parameters<typeof openTrade>[0], env?: Record<string, string>) => {
  const trade = await openTrade(t, { sandbox: true, ...(env ? { env } : {}) });
  const dispute = await trade.aDispute();
  const submit = (body: object, more: object = {}) =>
    trade.app.call(`POST /disputes/${dispute.id}/evidence`, { body, ...more });
  return { ...trade, dispute, submit };
};

/** One dispute for the tests that do not count what is stored: to fund its order takes longer than the tests do. */
const shared = shareInFile(openDispute);

const download = (app: TestApp, at: string, key: string) =>
  fetch(`${app.url}/api/v1${at}/content`, { headers: { authorization: `Bearer ${key}` } });

test('201 stores a file; list and record show it, and the download has its bytes', async (t) => {
  const { app, dispute, submit, done } = await openDispute(t);
  const made = await submit({ ...FILE, description: 'As it arrived.' });
  assert.equal(made.status, 201, made.text);
  const { id, createdAt, author, ...rest } = made.body.data;
  assert.match(id, /^evd_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.ok(Date.parse(createdAt) > 0);
  assert.equal(author.type, 'api_key');
  assert.deepEqual(rest, {
    disputeId: dispute.id,
    fileName: FILE.fileName,
    contentType: FILE.contentType,
    sizeBytes: BYTES.length,
    sha256: hashOf(BYTES),
    submittedBy: 'BUYER',
    description: 'As it arrived.',
  });
  const second = (await submit({ ...FILE, submittedBy: 'SELLER' })).body.data;
  assert.equal(second.description, null);
  assert.deepEqual((await app.call(`GET /disputes/${dispute.id}/evidence`)).body.data.data, [second, made.body.data]);
  const page = (await app.call(`GET /disputes/${dispute.id}/evidence?limit=1`)).body.data;
  const next = `GET /disputes/${dispute.id}/evidence?cursor=${page.nextCursor}`;
  assert.deepEqual([page.data, (await app.call(next)).body.data.data], [[second], [made.body.data]]);
  const at = `/disputes/${dispute.id}/evidence/${id}`;
  assert.deepEqual(await done(`GET ${at}`), made.body.data);

  const file = await download(app, at, await app.key(['read']));
  assert.equal(file.status, 200);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), BYTES);
  const expected = {
    'content-type': 'application/pdf',
    'content-length': String(BYTES.length),
    'content-disposition': `attachment; filename="parcel.pdf"; filename*=UTF-8''parcel.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
    'repr-digest': `sha-256=:${createHash('sha256').update(BYTES).digest('base64')}:`,
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(file.headers.get(name), value, name);
});

test('event and audit entry have the hash, and neither the content nor the name of the file', async (t) => {
  const { app, dispute, submit, buyerId } = await openDispute(t);
  const { id } = (await submit({ ...FILE, fileName: 'passport of Ada.pdf', description: 'private words' })).body.data;
  const file = {
    submittedBy: 'BUYER',
    contentType: 'application/pdf',
    sizeBytes: BYTES.length,
    sha256: hashOf(BYTES),
  };
  const event = (await eventsOf(app)).find(({ eventType }) => eventType === 'dispute.evidence_submitted');
  const { submittedAt, ...payload } = event.payload;
  assert.ok(submittedAt);
  assert.deepEqual(payload, { disputeId: dispute.id, orderId: dispute.orderId, evidenceId: id, ...file });
  assert.deepEqual([event.aggregateId, event.metadata.userId], [dispute.id, buyerId]);
  const { data } = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data;
  assert.deepEqual([data[0].action, data[0].resourceType], ['EVIDENCE_SUBMITTED', 'Evidence']);
  assert.deepEqual(data[0].payloadAfter, { disputeId: dispute.id, ...file });
  for (const table of ['events', 'audit_entries']) {
    const told = `select 1 from ${table} t where t::text like '%passport%' or t::text like '%private words%'`;
    assert.deepEqual(await app.sql(told), []);
  }
});

test('the timeline of the order shows its evidence', async () => {
  const { app, dispute, submit } = shared();
  const { id } = (await submit({ ...FILE, submittedBy: 'SELLER' })).body.data;
  const { entries } = (await app.call(`GET /orders/${dispute.orderId}/timeline`)).body.data.data;
  const shown = entries.filter(({ reference }: Row) => reference === id);
  assert.deepEqual(
    shown.map(({ kind, title }: Row) => [kind, title]),
    [['evidence', 'Evidence of the seller']],
  );
  assert.equal(shown[0].details.sha256, hashOf(BYTES));
  const titles = entries.map(({ title }: Row) => title);
  for (const title of ['dispute.evidence_submitted', 'EVIDENCE_SUBMITTED']) assert.ok(titles.includes(title), title);
});

test('hostile names are refused, and strange ones cannot change a header', async () => {
  const { app, dispute, submit } = shared();
  const refused = [
    ...['../../etc/passwd', '/etc/passwd', 'a/b.pdf', 'C:\\x.pdf', '..', '.', ' ', ' .. '],
    ...['a\r\nSet-Cookie: x=1', 'a\nb', 'a\tb', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u2029b'],
    ...['exe.\u202efdp', 'a\u2066b', 'a\u200fb', 'a\u061cb', '', 'x'.repeat(LIMITS.fileNameLength + 1)],
    'a\u0000b',
  ];
  for (const fileName of refused) {
    assert.equal(codeOf(await submit({ ...FILE, fileName })), '400 VALIDATION_ERROR', JSON.stringify(fileName));
  }
  const kept: [string, string, string][] = [
    ['a"; filename="b.exe', 'a__ filename=_b.exe'.replace('=', '_'), 'a%22%3B%20filename%3D%22b.exe'],
    ["it's (1)*.pdf", 'it_s _1__.pdf', 'it%27s%20%281%29%2a.pdf'],
    ['Größe € 文.pdf', 'Gr__e _ _.pdf', 'Gr%C3%B6%C3%9Fe%20%E2%82%AC%20%E6%96%87.pdf'],
    ['<script>.html', '_script_.html', '%3Cscript%3E.html'],
    ['100%.pdf', '100_.pdf', '100%25.pdf'],
  ];
  const key = await app.key(['read']);
  for (const [fileName, plain, exact] of kept) {
    const { id } = (await submit({ ...FILE, fileName })).body.data;
    const file = await download(app, `/disputes/${dispute.id}/evidence/${id}`, key);
    assert.equal(
      file.headers.get('content-disposition'),
      `attachment; filename="${plain}"; filename*=UTF-8''${exact}`,
      fileName,
    );
    assert.equal(file.headers.get('set-cookie'), null);
    await file.arrayBuffer();
  }
});

test('only content types of the list are kept', async () => {
  const { submit } = shared();
  const cases: [string, string][] = [
    ['IMAGE/PNG', 'image/png'],
    ['text/plain; charset=utf-16', 'text/plain'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/plain\r\nset-cookie: x', 'application/octet-stream'],
    ['multipart/form-data; boundary=x', 'application/octet-stream'],
    ['__proto__', 'application/octet-stream'],
  ];
  for (const [contentType, expected] of cases) {
    const made = await submit({ ...FILE, contentType });
    assert.equal(made.body.data.contentType, expected, contentType);
  }
});

test('400 VALIDATION_ERROR for content that is not base64, and for other fields that cannot be', async () => {
  const { submit } = shared();
  const contents = ['', '=', 'A', 'AA', 'AAA', 'AB==', 'AAAA\n', 'AA AA', 'AA-_', '!!!!', 'AAAA====', 7, null];
  for (const content of contents) {
    assert.equal(codeOf(await submit({ ...FILE, content })), '400 VALIDATION_ERROR', JSON.stringify(content));
  }
  const others = [{ submittedBy: 'JUDGE' }, { description: '' }, { contentType: '' }, { sha256: 'x' }];
  for (const other of others) assert.equal(codeOf(await submit({ ...FILE, ...other })), '400 VALIDATION_ERROR');
});

test('413 above EVIDENCE_MAX_BYTES; a file of exactly that size is stored, and other routes keep their limit', async () => {
  const { app, submit, dispute } = shared();
  const largest = fileOf(2 * MIB);
  const made = await submit(largest);
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.data.sizeBytes, 2 * MIB);
  const file = await download(app, `/disputes/${dispute.id}/evidence/${made.body.data.id}`, await app.key(['read']));
  assert.equal(hashOf(new Uint8Array(await file.arrayBuffer())), made.body.data.sha256);
  for (const size of [2 * MIB + 1, 3 * MIB]) {
    assert.equal(codeOf(await submit(fileOf(size))), '413 PAYLOAD_TOO_LARGE', String(size));
  }
  const text = 'x'.repeat(LIMITS.bodyBytes);
  const other = await app.call(`POST /disputes/${dispute.id}/messages`, { body: { from: 'BUYER', text } });
  assert.deepEqual([codeOf(other), other.body.error.details.limitBytes], ['413 PAYLOAD_TOO_LARGE', LIMITS.bodyBytes]);
  assert.equal((await app.call('GET /config', { key: null })).body.data.limits.evidenceBytes, 2 * MIB);
});

test('401, 403 and 404, and nothing of another marketplace', async () => {
  const { app, submit, dispute, aDispute } = shared();
  const { id } = (await submit(FILE)).body.data;
  const at = `/disputes/${dispute.id}/evidence`;
  assert.equal(codeOf(await submit(FILE, { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await submit(FILE, { key: await app.key(['read']) })), '403 INSUFFICIENT_SCOPE');
  const writing = await app.key(['write']);
  for (const path of [at, `${at}/${id}`, `${at}/${id}/content`]) {
    assert.equal(codeOf(await app.call(`GET ${path}`, { key: null })), '401 UNAUTHORIZED');
    assert.equal(codeOf(await app.call(`GET ${path}`, { key: writing })), '403 INSUFFICIENT_SCOPE');
  }
  const key = await app.key(['*'], 'mkt_elsewhere');
  assert.equal(codeOf(await submit(FILE, { key })), '404 DISPUTE_NOT_FOUND');
  assert.equal(codeOf(await app.call(`GET ${at}`, { key })), '404 DISPUTE_NOT_FOUND');
  for (const path of [`${at}/${id}`, `${at}/${id}/content`]) {
    assert.equal(codeOf(await app.call(`GET ${path}`, { key })), '404 EVIDENCE_NOT_FOUND');
  }
  const other = await aDispute();
  for (const path of [`/disputes/${other.id}/evidence/${id}`, `${at}/evd_x`, `${at}/${UNKNOWN.dispute}/content`]) {
    assert.equal(codeOf(await app.call(`GET ${path}`)), '404 EVIDENCE_NOT_FOUND');
  }
  const unknown = `POST /disputes/${UNKNOWN.dispute}/evidence`;
  assert.equal(codeOf(await app.call(unknown, { body: FILE })), '404 DISPUTE_NOT_FOUND');
  const viewer = await anOperator(app, { role: 'viewer', marketplaceId: app.marketplaceId });
  assert.equal((await viewer.call(`GET ${at}/${id}`)).status, 200);
  assert.equal(codeOf(await viewer.call(`POST ${at}`, { body: FILE })), '403 INSUFFICIENT_SCOPE');
});

test('a preview stores nothing, and a repeat with the same Idempotency-Key stores one file', async (t) => {
  const { app, submit } = await openDispute(t);
  const preview = await submit(FILE, { headers: { 'dry-run': 'true' } });
  const { status, reply, events } = preview.body.data;
  assert.deepEqual([preview.status, status, reply.sha256], [200, 201, hashOf(BYTES)]);
  assert.deepEqual(
    events.map(({ type }: Row) => type),
    ['dispute.evidence_submitted'],
  );
  const files = () => app.sql('select id from evidence_contents union all select id from evidence');
  assert.deepEqual(await files(), []);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await submit(FILE, { headers });
  const second = await submit(FILE, { headers });
  assert.deepEqual([first.status, second.body.data], [201, first.body.data]);
  assert.equal((await files()).length, 2);
  assert.equal(codeOf(await submit(fileOf(10), { headers })), '409 IDEMPOTENCY_KEY_REUSED');
});

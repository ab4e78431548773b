// The limits of evidence: of a dispute, with many files at once, and of a marketplace.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { openTrade } from '../contract/order-fixture.ts';
import { codeOf } from '../support/app.ts';

const BYTES = Buffer.from('%PDF-1.7 The parcel was open. ✓');

const FILE = {
  fileName: 'parcel.pdf',
  contentType: 'application/pdf',
  content: BYTES.toString('base64'),
  submittedBy: 'BUYER',
};

const fileOf = (size: number) => ({ ...FILE, content: randomBytes(size).toString('base64') });

const openDispute = async (t: Parameters<typeof openTrade>[0], env?: Record<string, string>) => {
  const trade = await openTrade(t, { sandbox: true, ...(env ? { env } : {}) });
  const dispute = await trade.aDispute();
  const submit = (body: object, more: object = {}) =>
    trade.app.call(`POST /disputes/${dispute.id}/evidence`, { body, ...more });
  return { ...trade, dispute, submit };
};

test('409 EVIDENCE_LIMIT: of many at the limit of a dispute exactly the permitted number is stored', async (t) => {
  const { app, submit, aDispute } = await openDispute(t);
  const statuses: string[] = [];
  const one = async (): Promise<void> => {
    for (;;) {
      const answer = await submit(FILE);
      // Only a few are taken at once.
      if (answer.status === 503) continue;
      statuses.push(codeOf(answer));
      return;
    }
  };
  await Promise.all(Array.from({ length: LIMITS.evidenceFiles + 6 }, one));
  assert.equal(statuses.filter((each) => each === '201 undefined').length, LIMITS.evidenceFiles);
  assert.equal(statuses.filter((each) => each === '409 EVIDENCE_LIMIT').length, 6);
  const [{ count }] = await app.sql('select count(*)::integer as count from evidence_contents');
  assert.equal(count, LIMITS.evidenceFiles);
  const refused = await submit(FILE);
  const { limitedBy, limit } = refused.body.error.details;
  assert.deepEqual([limitedBy, limit], ['dispute', LIMITS.evidenceFiles]);
  const other = await aDispute();
  assert.equal((await app.call(`POST /disputes/${other.id}/evidence`, { body: FILE })).status, 201);
});

test('409 EVIDENCE_LIMIT by the bytes of the marketplace; another marketplace has its own', async (t) => {
  const { submit } = await openDispute(t, { EVIDENCE_MAX_BYTES: '2048', EVIDENCE_MARKETPLACE_MAX_BYTES: '4096' });
  assert.equal((await submit(fileOf(2_048))).status, 201);
  assert.equal((await submit(fileOf(2_000))).status, 201);
  const refused = await submit(fileOf(49));
  assert.equal(codeOf(refused), '409 EVIDENCE_LIMIT');
  const { limitedBy, limit } = refused.body.error.details;
  assert.deepEqual([limitedBy, limit], ['marketplace', 4_096]);
  assert.equal((await submit(fileOf(48))).status, 201);
  assert.equal(codeOf(await submit(fileOf(2_049))), '413 PAYLOAD_TOO_LARGE');
});

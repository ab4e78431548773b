// A long statement is read and drawn in bounded pieces, and one whose lines do not lead to its closing is not finished. Brand files are checked by
// their content.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fromUnits, ZERO } from '../../server/src/books/money.ts';
import { readBrand } from '../../server/src/documents/brand.ts';
import type { Part } from '../../server/src/documents/document.ts';
import { visualPieces } from '../../server/src/documents/reading-order.ts';
import { statementDocument } from '../../server/src/modules/statements/document.ts';
import type { StatementLine, StatementPage, StatementRequest } from '../../server/src/modules/statements/queries.ts';

const LINES = 2_350;
const UNIT = 1_234_567n;

const line = (seq: bigint): StatementLine => ({
  part: 'available',
  seq,
  amount: fromUnits(UNIT),
  balanceAfter: fromUnits(UNIT * seq),
  counterAccountId: 'operator:adjustments:USD',
  move: 'credit',
  reference: null,
  description: null,
  postedAt: '2026-11-15T09:30:00.000000Z',
});

/** The pages of a balance with so many equal credits. */
const pagesOf = (lines: number, closing: bigint) => {
  const asked: number[] = [];
  const read = async ({ after, limit }: StatementRequest): Promise<StatementPage> => {
    asked.push(limit);
    const first = after.available;
    const last = first + BigInt(limit) < BigInt(lines) ? first + BigInt(limit) : BigInt(lines);
    const shown: StatementLine[] = [];
    for (let seq = first + 1n; seq <= last; seq++) shown.push(line(seq));
    return {
      ownerName: 'Ada',
      count: BigInt(lines),
      opening: { available: ZERO, reserved: ZERO },
      closing: { available: fromUnits(closing), reserved: ZERO },
      lines: shown,
      next: last < BigInt(lines) ? { available: last, reserved: 0n } : null,
    };
  };
  return { read, asked };
};

const REQUEST = {
  marketplaceId: 'mkt_default',
  userId: 'usr_1',
  currency: 'USD',
  from: '2026-11-01T00:00:00.000000Z',
  to: '2026-12-01T00:00:00.000000Z',
} as const;

const partsOf = async (lines: number, closing: bigint): Promise<{ parts: Part[]; asked: number[] }> => {
  const { read, asked } = pagesOf(lines, closing);
  const document = await statementDocument({ request: REQUEST, read });
  const parts: Part[] = [];
  for await (const part of document!.parts) parts.push(part);
  return { parts, asked };
};

test('a long statement is read page by page, and no part has more rows than a page', async () => {
  const { parts, asked } = await partsOf(LINES, UNIT * BigInt(LINES));
  const rows = parts.filter((part) => part.kind === 'rows').map((part) => part.rows.length);
  assert.deepEqual(
    [rows, asked],
    [
      [1_000, 1_000, 350],
      [1_000, 1_000, 1_000],
    ],
  );
});

test('lines that do not lead to the closing balance end the document with an error', async () => {
  await assert.rejects(partsOf(LINES, UNIT * BigInt(LINES) + 1n), /closing balance/);
});

test('more lines than a document may have are refused before anything is sent', async () => {
  const { read } = pagesOf(50_001, 0n);
  await assert.rejects(statementDocument({ request: REQUEST, read }), (error: unknown) =>
    /50001 lines/.test(JSON.stringify((error as { details: unknown }).details)),
  );
});

test('words that are read from right to left are drawn in their order', () => {
  assert.deepEqual(visualPieces('plain text'), ['plain text']);
  assert.deepEqual(visualPieces('שלום עולם').join('|'), 'עולם| |שלום');
});

const BRAND = { name: null, addressLines: null, accent: '#000000', footer: null, contact: null };

test('a logo is checked by its content and its size', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-brand-'));
  t.after(() => rm(folder, { recursive: true }));
  const logoFile = path.join(folder, 'logo.png');
  const read = (): Promise<unknown> => readBrand({ ...BRAND, logoFile, fontFile: null });
  await assert.rejects(read(), /DOCUMENT_LOGO names .*not a file/);
  await writeFile(logoFile, '<svg onload="alert(1)"/>');
  await assert.rejects(read(), /neither a PNG nor a JPEG/);
  await writeFile(logoFile, Buffer.alloc(300_000));
  await assert.rejects(read(), /at most 262144 bytes/);
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(32)]);
  png.writeUInt32BE(90_000, 16);
  png.writeUInt32BE(10, 20);
  await writeFile(logoFile, png);
  await assert.rejects(read(), /90000 by 10 pixels/);
  await assert.rejects(readBrand({ ...BRAND, logoFile: null, fontFile: logoFile }), /DOCUMENT_FONT/);
});

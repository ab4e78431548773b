// Clients that take no bytes of a document, and documents that never end, keep no place that other readers need.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Document, Part } from '../../server/src/documents/document.ts';
import { createDocuments, type DocumentFormat } from '../../server/src/http/send-document.ts';
import { openFile } from '../../server/src/http/send-file.ts';

const BRAND = {
  name: 'Market',
  addressLines: [],
  accent: '#1f5c4d',
  logo: null,
  font: null,
  footer: null,
  contact: null,
};
const TIMEOUT = { timeout: 20_000 };
const LARGE = 700_000;

/** The socket of a client that takes all bytes, or none. */
const clientOf = (takesBytes: boolean) => {
  const chunks: Buffer[] = [];
  const begun = Promise.withResolvers<void>();
  const response = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      chunks.push(chunk);
      begun.resolve();
      if (takesBytes) done();
    },
  });
  const wire = {
    request: { socket: { destroyed: false } } as never,
    open: () => response as unknown as ServerResponse,
  };
  return { response, wire, begun: begun.promise, bytes: () => Buffer.concat(chunks) };
};

const documentOf = (parts: AsyncIterable<Part>): Document => ({
  head: { title: 'Receipt', subtitle: 'ord_1', at: '2026-11-15T09:30:00.000000Z' },
  parts,
});

async function* textOf(length: number): AsyncGenerator<Part> {
  for (let at = 0; at < length; at += 1_000) yield { kind: 'text', text: 'x'.repeat(1_000) };
}

/** Begins, and ends when it is told to. */
const endless = () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  async function* parts(): AsyncGenerator<Part> {
    begun.resolve();
    await end.promise;
    yield* textOf(1);
  }
  return { document: documentOf(parts()), begun: begun.promise, end: end.resolve };
};

type Asked = {
  readonly marketplaceId?: string;
  readonly format?: DocumentFormat;
  readonly takesBytes?: boolean;
  readonly length?: number;
  readonly document?: Document;
  readonly isPublic?: boolean;
  readonly left?: AbortSignal;
};

const senders = () => {
  const documents = createDocuments(BRAND);
  return ({ takesBytes = true, length = 1, marketplaceId = 'mkt_1', format = 'html', ...more }: Asked) => {
    const client = clientOf(takesBytes);
    const document = documentOf(textOf(length));
    const sent = documents.send({ document, marketplaceId, format, fileName: 'receipt', ...more }, client.wire);
    // A test that ends early must not fail by the clients that it leaves.
    sent.catch(() => {});
    return { ...client, sent, begun: Promise.race([client.begun, sent]) };
  };
};

test('clients that take no bytes of a small document keep no place', TIMEOUT, async () => {
  const send = senders();
  const slow = [1, 2, 3].map(() => send({ takesBytes: false }));
  for (const { begun } of slow) await begun;
  const quick = send({});
  await quick.sent;
  assert.match(quick.bytes().toString(), /<\/html>\s*$/);
});

test('readers of public documents keep no place of the marketplace', TIMEOUT, async () => {
  const send = senders();
  const slow = [1, 2].map(() => send({ takesBytes: false, length: LARGE, isPublic: true }));
  for (const { begun } of slow) await begun;
  const quick = send({ length: LARGE });
  await quick.sent;
  assert.ok(quick.bytes().length > LARGE);
});

test('a client that leaves while it waits gives its place in the line up', TIMEOUT, async () => {
  const send = senders();
  const slow = [1, 2].map(() => send({ takesBytes: false, length: LARGE }));
  for (const { begun } of slow) await begun;
  const leaving = new AbortController();
  const waiting = send({ left: leaving.signal });
  leaving.abort();
  await assert.rejects(waiting.sent, { code: 'SERVICE_UNAVAILABLE' });
});

test('PDF files whose clients take no bytes keep no thread', TIMEOUT, async () => {
  const send = senders();
  const slow = ['mkt_1', 'mkt_2'].map((marketplaceId) => send({ marketplaceId, format: 'pdf', takesBytes: false }));
  for (const { begun } of slow) await begun;
  const quick = send({ marketplaceId: 'mkt_3', format: 'pdf' });
  await quick.sent;
  assert.equal(quick.bytes().subarray(0, 5).toString(), '%PDF-');
});

test('two unfinished PDF files of one marketplace leave a thread to the others', TIMEOUT, async () => {
  const send = senders();
  const long = [endless(), endless()];
  const slow = long.map(({ document }) => send({ format: 'pdf', document }));
  await long[0]!.begun;
  const other = send({ marketplaceId: 'mkt_2', format: 'pdf' });
  await other.sent;
  assert.equal(other.bytes().subarray(0, 5).toString(), '%PDF-');
  for (const { end } of long) end();
  for (const { sent } of slow) await sent;
});

test('a file has a limit of time as a whole, whether its client takes bytes or not', TIMEOUT, async () => {
  const send = (takesBytes: boolean) => {
    const { response, wire } = clientOf(takesBytes);
    return openFile({ offset: 0, hasLeft: () => false, withinMs: 20, open: () => wire.open() ?? response });
  };
  await assert.rejects(send(false).write('piece'), { name: 'AbortError' });
  const file = send(true);
  const drip = async (): Promise<void> => {
    for (;;) {
      await file.write('piece');
      await new Promise(setImmediate);
    }
  };
  await assert.rejects(drip(), { name: 'TimeoutError' });
});

// The schemas by which answers are written. A server compiles one when it is first needed: here all of them are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { startApp } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import type { Row } from './order-fixture.ts';

/** Each operation with the schema and the example of its success, where that has a body of ours. */
const answersIn = ({ paths }: Row): Row[] =>
  Object.entries<Row>(paths).flatMap(([path, operations]) =>
    Object.entries<Row>(operations).flatMap(([method, { responses }]) => {
      const [status] = Object.keys(responses).filter((code) => code.startsWith('2'));
      const shown = responses[status!].content?.['application/json'];
      return shown ? [{ name: `${method} ${path}`, ...shown }] : [];
    }),
  );

const server = shareInFile((t) => startApp(t, { env: { SURFACE_B: 'on' } }));

for (const [surface, path, least] of [
  ['the API', '/docs/openapi.json', 40],
  ['Surface B', '/docs/surface-b.json', 9],
] as const) {
  test(`every answer of ${surface} can be written, and its example comes out as it is`, async () => {
    const app = server();
    const answers = answersIn(await (await fetch(app.url + path)).json());
    assert.ok(answers.length >= least, String(answers.length));
    const writer = Fastify();
    writer.get('/', async (_request, reply) =>
      answers.map(({ name, schema, example }) => [name, JSON.parse(reply.compileSerializationSchema(schema)(example))]),
    );
    assert.deepEqual(
      (await writer.inject('/')).json(),
      answers.map(({ name, example }) => [name, example]),
    );
  });
}

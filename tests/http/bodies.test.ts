// How request bodies are read: which are refused and which are ignored.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fixture, openServer } from './server-fixture.ts';

let server: Fixture;
before(async () => {
  server = await openServer();
});
after(() => server.app.close());

const CREDIT = '/api/v1/users/u1/credit';
const TOUCH = '/api/v1/things/t1/touch';
const CANCEL = '/api/v1/things/t1/cancel';
const key = 'writer';

const refused = async (text: string) => {
  const answer = await server.ask('POST', CREDIT, { key, text });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  return answer.body.error.details.validationErrors;
};

test('malformed JSON, an empty body, null and a list are 400 VALIDATION_ERROR', async () => {
  assert.deepEqual(await refused('{"amount":'), ['The body is not valid JSON.']);
  assert.deepEqual(await refused('   '), ['The body is required: send a JSON object.']);
  assert.deepEqual(await refused('null'), ['The body must be an object.']);
  assert.deepEqual(await refused('[]'), ['The body must be an object']);
  assert.equal((await server.ask('POST', CREDIT, { key })).status, 400);
});

test('keys that would reach a prototype are refused, also inside metadata and also when escaped', async () => {
  const hostile = [
    '{"amount":"1.00","__proto__":{"admin":true}}',
    '{"amount":"1.00","metadata":{"a":{"__proto__":{"admin":true}}}}',
    '{"amount":"1.00","metadata":{"\\u005f_proto__":1}}',
    '{"amount":"1.00","metadata":{"constructor":{"prototype":{"admin":true}}}}',
  ];
  for (const text of hostile) assert.deepEqual(await refused(text), ['The body has a key that is not allowed.']);
  assert.equal((await server.ask('POST', CREDIT, { key, body: { amount: '1.00', note: '__proto__' } })).status, 200);
});

test('text the database cannot store is refused', async () => {
  const sentence = ['The body contains a text with a null character or half of a surrogate pair.'];
  assert.deepEqual(await refused('{"amount":"1.00","note":"a\\u0000b"}'), sentence);
  assert.deepEqual(await refused('{"amount":"1.00","metadata":{"x":["\\ud800"]}}'), sentence);
  assert.deepEqual(await refused('{"amount":"1.00","metadata":{"\\u0000":1}}'), sentence);
  assert.equal((await server.ask('POST', CREDIT, { key, text: '{"amount":"1.00","note":"\\\\u0000"}' })).status, 200);
  assert.equal(
    (await server.ask('POST', CREDIT, { key, text: '{"amount":"1.00","note":"\\ud83d\\ude00"}' })).status,
    200,
  );
  assert.equal((await server.ask('GET', '/api/v1/things/a%00b', { key })).status, 400);
});

test('a body with very many values or levels is refused before its fields are checked', async () => {
  const many = `{"amount":"1.00","list":[${'{},'.repeat(12_000)}{}]}`;
  assert.deepEqual(await refused(many), ['The body has more than 10000 values.']);
  const deep = `{"metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  assert.deepEqual(await refused(deep), ['The body has more than 100 levels of lists and objects.']);
  const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`u${n}`, 1]));
  const unknown = await refused(JSON.stringify(fields));
  assert.equal(unknown.length, 50, 'the search for problems ends with the last one that is shown');
});

test('another content type is 415, and the error names it', async () => {
  for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    const answer = await server.ask('POST', CREDIT, { key, text: '{}', headers: { 'content-type': contentType } });
    assert.equal(answer.status, 415);
    assert.equal(answer.body.error.code, 'UNSUPPORTED_MEDIA_TYPE');
    assert.equal(answer.body.error.details.contentType, contentType);
  }
  const withCharset = { 'content-type': 'application/json; charset=utf-8' };
  assert.equal(
    (await server.ask('POST', CREDIT, { key, text: '{"amount":"1.00"}', headers: withCharset })).status,
    200,
  );
});

test('a body beyond the limit is 413 and the error names the limit, on every route', async () => {
  const big = JSON.stringify({ amount: 'x'.repeat(70_000) });
  for (const path of [CREDIT, TOUCH]) {
    const answer = await server.ask('POST', path, { key, text: big });
    assert.equal(answer.status, 413);
    assert.equal(answer.body.error.code, 'PAYLOAD_TOO_LARGE');
    assert.equal(answer.body.error.details.limitBytes, 65_536);
  }
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const head = `POST ${TOUCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nTransfer-Encoding: chunked\r\n\r\n`;
  assert.match(await server.talk(head + chunk + chunk), /^HTTP\/1\.1 413 /);
  const get = `GET /api/v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nConnection: close\r\nContent-Length: 70000\r\n\r\n`;
  assert.match(await server.talk(get), /^HTTP\/1\.1 413 /);
});

test('a route without a body ignores any, malformed too, whatever its content type', async () => {
  for (const contentType of ['application/json', 'text/plain', 'image/png', 'not a type at all']) {
    const answer = await server.ask('POST', TOUCH, { key, text: '{"a":', headers: { 'content-type': contentType } });
    assert.equal(answer.status, 201, contentType);
    assert.deepEqual(answer.body.data.data.said.body, {});
  }
  assert.equal((await server.ask('POST', TOUCH, { key })).status, 201);
});

test('an optional body may be left out, and is checked when it is there', async () => {
  assert.deepEqual((await server.ask('POST', CANCEL, { key })).body.data.said, {});
  assert.deepEqual((await server.ask('POST', CANCEL, { key, text: '' })).body.data.said, {});
  assert.deepEqual((await server.ask('POST', CANCEL, { key, body: { reason: 'late' } })).body.data.said, {
    reason: 'late',
  });
  assert.equal((await server.ask('POST', CANCEL, { key, body: { why: 'late' } })).status, 400);
  assert.equal((await server.ask('POST', CANCEL, { key, text: '{' })).status, 400);
});

test('a refused body leaves the connection usable', async () => {
  const request = (body: string) =>
    `POST ${CREDIT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const heard = await server.talk(
    `${request('{')}\r\n{${request('{"amount":"1.00"}')}Connection: close\r\n\r\n{"amount":"1.00"}`,
  );
  assert.match(heard, /^HTTP\/1\.1 400 [\s\S]*HTTP\/1\.1 200 /);
});

// Two independent linters accept both OpenAPI documents, with their recommended rules and without a finding of any severity.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Accepted, LINTERS, lintDocument } from '../../tools/outside-checks/lint-document.ts';
import { startApp } from '../support/app.ts';
import { hasPackages, NO_TOOLS } from './fixture.ts';

const OF_BOTH: readonly Accepted[] = [
  { linter: 'redocly', rule: 'info-license', at: '#/info', reason: 'the project has no licence text to name' },
  { linter: 'spectral', rule: 'info-contact', at: '#/info', reason: 'the operator of a server is the contact' },
];

const DOCUMENTS: Readonly<Record<string, readonly Accepted[]>> = {
  '/docs/openapi.json': [
    ...OF_BOTH,
    {
      linter: 'redocly',
      rule: 'no-unused-components',
      at: '#/components/responses/Preview',
      reason: 'x-dry-run-response refers to it, and the linter does not read extensions',
    },
  ],
  '/docs/surface-b.json': OF_BOTH,
};

// biome-ignore lint/suspicious/noExplicitAny: the document is changed like JavaScript would
type Document = any;

const documentsOf = async (t: TestContext): Promise<[string, Document][]> => {
  const { url } = await startApp(t, { sandbox: true });
  const documents: [string, Document][] = [];
  for (const address of Object.keys(DOCUMENTS)) documents.push([address, await (await fetch(url + address)).json()]);
  return documents;
};

test('both linters accept both documents, and every accepted finding is still one', async (t) => {
  if (!hasPackages()) return t.skip(NO_TOOLS);
  for (const [address, document] of await documentsOf(t)) {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.keys(path)).length;
    for (const linter of LINTERS) {
      const { findings, unseen } = await lintDocument(document, { linter, accepted: DOCUMENTS[address]! });
      assert.deepEqual([findings, unseen], [[], []], `${linter} ${address}`);
      t.diagnostic(`${linter}: ${operations} operations of ${address}, no finding`);
    }
  }
  return undefined;
});

test('both linters notice a path without its parameter, an operation id used twice and an example that its schema forbids', async (t) => {
  if (!hasPackages()) return t.skip(NO_TOOLS);
  const [[address, document]] = (await documentsOf(t)) as [[string, Document]];
  const { get } = document.paths['/api/v1/orders/{id}'];
  get.parameters = get.parameters.filter(({ name }: { name?: string }) => name !== 'id');
  get.operationId = document.paths['/api/v1/users/{id}'].get.operationId;
  const { content } = document.paths['/api/v1/users'].post.requestBody;
  content['application/json'].example = { externalUserId: 7 };
  for (const linter of LINTERS) {
    const { findings } = await lintDocument(document, { linter, accepted: DOCUMENTS[address]! });
    for (const fault of [/param/, /operationId/i, /example/])
      assert.ok(
        findings.some((each) => fault.test(each)),
        linter,
      );
  }
  return undefined;
});

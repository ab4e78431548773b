// The confirmations of the console show the server's preview, and its policy templates are the rules of the SDK's examples.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEMPLATES } from '../../console/src/pages/policies/templates.ts';
import { notPreviewed } from '../../console/src/parts/money/not-previewed.ts';
import { NOT_PREVIEWED } from '../../contract/src/previews.ts';
import { sourcesOf } from './sources.ts';

const sources = sourcesOf('console/src/**/*.{ts,tsx}');
const CONFIRM = 'console/src/parts/money/confirm.tsx';
const FORM_CONFIRM = 'console/src/parts/money/form-confirm.tsx';

const pathsWith = (pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

/** The pages that ask for a confirmation. */
const confirming = sources.filter(({ path, text }) => /<(Form)?Confirm\b/.test(text) && path !== FORM_CONFIRM);

test('only one component is a confirmation, and it requires a preview or the reason for none', () => {
  assert.deepEqual(pathsWith(/@base-ui\/react\/alert-dialog/), [CONFIRM]);
  for (const path of [CONFIRM, FORM_CONFIRM]) {
    const { text } = sources.find((source) => source.path === path)!;
    assert.match(text, /\n {2}readonly preview: Asking \| Unpreviewed;\n/, path);
  }
});

test('a page with a confirmation asks the server for the figures and does no arithmetic with amounts', () => {
  assert.ok(confirming.length > 10);
  const ARITHMETIC = /\b(add|subtract|negate|partOf|centsPartOf|toCents|sharesWhen|sharesOnRelease)\b/;
  const ASKS = /dryRun: true|notPreviewed\(|previewAction\(/;
  for (const { path, text } of confirming) {
    const imports = text.match(/^import [^;]+;/gms) ?? [];
    assert.doesNotMatch(imports.join('\n'), ARITHMETIC, path);
    assert.match(text, ASKS, path);
    const rendered = text.match(/<(Form)?Confirm\b/g) ?? [];
    assert.equal(text.match(/\n\s+preview=\{/g)?.length, rendered.length, `${path}: each confirmation has a preview`);
  }
});

test('a confirmation without a preview gives the reason of the contract', () => {
  const routes = confirming.flatMap(({ text }) =>
    [...text.matchAll(/notPreviewed\('([^']+)'\)/g)].map(([, route]) => route!),
  );
  assert.ok(routes.length > 5);
  for (const route of routes as Parameters<typeof notPreviewed>[0][]) {
    assert.equal(notPreviewed(route).none, NOT_PREVIEWED[route], route);
  }
  // The operator's own float is a case of a route that has a preview.
  assert.deepEqual(
    confirming.filter(({ text }) => /\bnone:/.test(text)).map(({ path }) => path),
    ['console/src/pages/marketplaces/move-float.tsx'],
  );
});

/** The object literal of an example, which has only texts in it. */
const rulesIn = (text: string): unknown => {
  const [, literal = ''] = /\n {2}rules: (\{\n.*?\n {2}\}),\n/s.exec(text) ?? [];
  const json = literal
    .replace(/(\w+): /g, '"$1": ')
    .replaceAll("'", '"')
    .replace(/,(\s*[}\]])/g, '$1');
  return JSON.parse(json);
};

test('the templates of the console are the rules of the examples', () => {
  const examples = sourcesOf('sdk/examples/policy-*.ts');
  const named = Object.fromEntries(TEMPLATES.map(({ name, rules }) => [name.split(' ')[0]!.toLowerCase(), rules]));
  const shown = Object.fromEntries(
    examples.map(({ path, text }) => [/policy-(\w+)\.ts$/.exec(path)![1]!, rulesIn(text)]),
  );
  assert.deepEqual(named, shown);
});

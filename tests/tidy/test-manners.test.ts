// How tests behave: none sleeps to wait, none is left out, none asserts nothing, none depends on the operators of another file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, sourcesOf } from './sources.ts';

const OWN = 'tests/tidy/test-manners.test.ts';
const sources = sourcesOf('tests/**/*.ts').filter((source) => source.path !== OWN);

/** A pause is allowed between two checks of a condition, inside a loop that ends when the condition holds. */
const LOOP = /\b(while|for)\s*(await\s*)?\(/;
const LINES_BEFORE = 4;
const SLEEP = /(?<!\.)\bsetTimeout\(\s*(\w*resolve\w*|done|next|ok|\(\)\s*=>\s*\w*resolve\w*\()/i;
const PROMISED = /import\s*\{[^}]*\bsetTimeout\b[^}]*\}\s*from\s*'(node:)?timers\/promises'/;

const sleepsOf = ({ path, text }: { path: string; text: string }): string[] => {
  const lines = codeOf(text).split('\n');
  const alone = (at: number): boolean =>
    !lines.slice(Math.max(0, at - LINES_BEFORE), at + 1).some((line) => LOOP.test(line));
  return lines.flatMap((line, at) => (SLEEP.test(line) && alone(at) ? [`${path}:${at + 1}`] : []));
};

test('no test sleeps to wait: it checks its condition again until the condition holds', () => {
  assert.deepEqual(sources.flatMap(sleepsOf), []);
  assert.deepEqual(
    sources.filter(({ text }) => PROMISED.test(text)).map((source) => source.path),
    [],
  );
});

test('no test is left out but on a platform, or without the token, the Citus or the tools that it needs, and none runs alone', () => {
  const marked =
    /\b(test|it|describe|suite|t)\.(only|skip(?!\((NO_CITUS|NO_TOOLS)\))|todo)\b|[{,]\s*(only|skip|todo):(?!\s*(process\.platform|whyNoToken\(\)))/;
  assert.deepEqual(
    sources.filter(({ text }) => marked.test(codeOf(text))).map((source) => source.path),
    [],
  );
});

test('no test expects the field for a key on the sign-in page at once: operators of another file put it behind a button', () => {
  const fixture = 'tests/browser/support/browser-fixture.ts';
  assert.deepEqual(
    sources.filter(({ text }) => text.includes('API key or token')).map((source) => source.path),
    [fixture],
  );
});

test('every test file asserts something, and every test has a name that says what is promised', () => {
  for (const { path, text } of sources.filter((source) => source.path.endsWith('.test.ts'))) {
    assert.match(text, /\bassert\w*[.(]/, path);
    const names = [...codeOf(text).matchAll(/^\s*(?:t\.)?test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm)].map(
      ([, , name]) => name!,
    );
    for (const name of names) assert.ok(name.split(/\s+/).length >= 3 || name.includes('${'), `${path}: ${name}`);
  }
});

// The texts of the console: none of the phrases that new users did not understand is left, and docs/console.md describes every page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText, sourcesOf } from './sources.ts';

const sources = sourcesOf('console/src/**/*.{ts,tsx}');

/** Each was replaced by the noun of the field or the verb of the button. */
const REPLACED = [
  'Leave it',
  'Go on',
  'Make the order',
  'What can be done',
  'Its way',
  'The escrow was asked for',
  'The money goes into escrow',
  'I take it',
  'Take it up',
  'Looked into by',
  'What it is about',
  'Nothing was sent along',
  'Prove again',
  'Every cent is there',
  'Owed (claims)',
  'Held (holdings)',
  'By hand',
  'Together',
  'Charts of',
  'Open work',
  'Half of the orders',
  'Nine of ten',
  'Disputes that',
  'Ask who pays',
  'By itself',
  'Payins that wait',
  'It may',
  'One that does not exist yet',
  'put off',
  'Throws away',
  'outlived their promise',
  'Look again',
  'Ask again',
  'is like that',
  'Your label of it',
  'The whole of it',
  'Nothing is armed',
  'a letter in it',
];

/** The texts of a source: without its comments. */
const textsOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '');

test('no text of the console has a phrase that was replaced', () => {
  for (const { path, text } of sources) {
    const texts = textsOf(text);
    const left = REPLACED.filter((phrase) =>
      new RegExp(`['"\`>]\\s*${phrase.replace(/[()]/g, '\\$&')}\\b`).test(texts),
    );
    assert.deepEqual(left, [], path);
  }
});

test('docs/console.md describes every page of the navigation', () => {
  const page = readText('docs/console.md');
  // Read as text: the list names the type of an icon, whose file only the bundler understands.
  const list = readText('console/src/page-list.ts');
  const named = [...list.matchAll(/name: '([^']+)', icon:/g)].map(([, name]) => name!.toLowerCase());
  assert.ok(named.length > 15);
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const described = rows.flatMap((row) =>
    row
      .split('|')[1]!
      .toLowerCase()
      .split(',')
      .map((part) => part.trim()),
  );
  assert.deepEqual(
    named.filter((name) => !described.includes(name)),
    [],
  );
});

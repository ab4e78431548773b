// The words of the code and its texts. The list is the vocabulary that the house style replaced: a word of it makes code hard to
// search and hard to read for people who learned English second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';

/** Old words as they appear inside names, comments and texts, with what to say instead. */
const REPLACED: Readonly<Record<string, string>> = {
  desk: 'unit of work, or the name of the thing',
  purser: 'transaction sender',
  errand: 'operation',
  'night shift': 'scheduler',
  timetable: 'schedule',
  neighbour: 'provider',
  street: 'environment',
  town: 'environment',
  purse: 'balance',
  toy: 'simulator',
  twin: 'simulator',
  shelf: 'row cache',
  shelves: 'row caches',
  sitting: 'unit of work',
  fate: 'outcome',
  hurry: 'retry now',
  'take in': 'apply',
  'use up': 'consume',
  'see to': 'ensure',
  stumble: 'fail',
  stumbled: 'failed',
  crowd: 'admission',
  bell: 'notifier',
  whoever: 'name the caller, the worker or the operator',
  somebody: 'name the actor',
  nobody: 'name the actor',
  meanwhile: 'say what happened in between',
};

const OWN = 'tests/tidy/words.test.ts';

const files = filesOf(
  '{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx,html}',
  '{tests,scripts,bench,tools}/**/*.ts',
  'docs/**/*.md',
  '*.md',
  'deploy/**/*.{md,yaml,json}',
).filter((file) => file !== OWN && !file.startsWith('sdk/src/printed/'));

/** `nightShift`, `NightShift` and `NIGHT_SHIFT` read as two words. */
const wordsOf = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();

const OLD = new RegExp(`\\b(${Object.keys(REPLACED).join('|')})s?\\b`, 'g');

const oldWordsIn = (text: string): string[] => [...wordsOf(text).matchAll(OLD)].map(([, word]) => word!);

test('the check of words finds an old word in a name, a constant, a comment and a sentence', () => {
  assert.deepEqual(oldWordsIn('const nightShift = openDesk(); // whoever asks'), ['night shift', 'desk', 'whoever']);
  assert.deepEqual(oldWordsIn('TIMETABLE, twins, PurserOptions'), ['timetable', 'twin', 'purser']);
  assert.deepEqual(oldWordsIn('desktop, winter, remainder'), []);
});

/** Values in stored rows, and the name of a system account. */
const KEPT = ["purpose: 'use-up'", "actor: { type: 'system', id: 'purser' }", "UNPRIVILEGED = ['postgres', 'nobody']"];

const withoutKept = (text: string): string => KEPT.reduce((rest, kept) => rest.replaceAll(kept, ''), text);

test('no word of the old vocabulary is left in code, comments, messages and docs', () => {
  const found = files.flatMap((file) =>
    withoutKept(readText(file))
      .split('\n')
      .flatMap((line, at) => oldWordsIn(line).map((word) => `${file}:${at + 1}: ${word}, say: ${REPLACED[word]}`)),
  );
  assert.deepEqual(found, []);
});

test('the glossary defines every noun that is ours, and the README links it', () => {
  assert.match(readText('README.md'), /\(docs\/glossary\.md\)/);
  const glossary = readText('docs/glossary.md');
  for (const noun of [
    'lane',
    'group commit',
    'posting',
    'claim',
    'holding',
    'break',
    'operation',
    'settlement',
    'sweep',
  ]) {
    assert.match(glossary.toLowerCase(), new RegExp(`\\*\\*${noun}`), noun);
  }
});

// The size of functions and folders. A function that does not fit on a screen hides what it does.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';
import { nodesOf } from './syntax.ts';

const LINES_MAX = 80;
const P90_MAX = 40;
const FILES_PER_FOLDER_MAX = 27;
const SERVER_FILES_MAX = 460;

type Measured = {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  /** Whether it is an argument of a call, as the function of a test is. */
  readonly isArgument: boolean;
};

const IS_FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const functionsOf = (file: string): Measured[] => {
  const text = readText(file);
  return nodesOf(file)
    .filter(({ node }) => IS_FUNCTION.test(node.type ?? ''))
    .map(({ node, parent, name }) => {
      const lines = text.slice(node.start, node.end).split('\n').length;
      return { file, name, lines, isArgument: parent?.type === 'CallExpression' };
    });
};

const serverFiles = filesOf('server/src/**/*.ts');

test(`no function has more than ${LINES_MAX} lines, except the body of a test`, () => {
  const files = filesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}', '{tools,scripts,bench}/**/*.ts');
  const ofTests = filesOf('tests/**/*.ts').flatMap(functionsOf);
  const measured = [...files.flatMap(functionsOf), ...ofTests.filter(({ isArgument }) => !isArgument)];
  assert.ok(ofTests.length > 5_000);
  const tooLong = measured.filter(({ lines }) => lines > LINES_MAX);
  assert.deepEqual(
    tooLong.map(({ file, name, lines }) => `${file} ${name}: ${lines} lines`),
    [],
  );
});

test(`nine of ten functions of the server have at most ${P90_MAX} lines`, (t) => {
  const functions = serverFiles.flatMap(functionsOf);
  assert.ok(functions.length > 2_000);
  // Functions of one line are mostly arguments of others and would hide the rest.
  const sizes = functions
    .map(({ lines }) => lines)
    .filter((lines) => lines > 1)
    .sort((one, other) => one - other);
  const p90 = sizes[Math.floor(sizes.length * 0.9)]!;
  t.diagnostic(`${functions.length} functions, p90 ${p90} lines, longest ${sizes.at(-1)}`);
  assert.ok(p90 <= P90_MAX, `p90 is ${p90}`);
});

test(`no folder holds more than ${FILES_PER_FOLDER_MAX} files, and the server has at most ${SERVER_FILES_MAX}`, () => {
  const all = filesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}', '{tools,scripts,bench}/**/*.ts');
  const folders = Map.groupBy(
    all.filter((file) => !file.startsWith('sdk/src/printed/')),
    (file) => path.dirname(file),
  );
  const full = [...folders].filter(([, files]) => files.length > FILES_PER_FOLDER_MAX);
  assert.deepEqual(
    full.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  );
  assert.ok(serverFiles.length <= SERVER_FILES_MAX, `${serverFiles.length} files`);
});

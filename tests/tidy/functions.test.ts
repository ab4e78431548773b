// The size of functions and folders. A function that does not fit on a screen hides what it does.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'rolldown/parseAst';
import { filesOf, readText } from './sources.ts';

const LINES_MAX = 80;
const P90_MAX = 40;
const FILES_PER_FOLDER_MAX = 26;
const SERVER_FILES_MAX = 400;

type Measured = {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  /** Whether it is an argument of a call, as the function of a test is. */
  readonly isArgument: boolean;
};
type AstNode = { readonly type?: string; readonly start?: number; readonly end?: number } & Record<string, unknown>;

const IS_FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const nameIn = (node: AstNode): string | undefined =>
  ((node.id ?? node.key) as { name?: string } | null | undefined)?.name;

const functionsOf = (file: string): Measured[] => {
  const text = readText(file);
  const measured: Measured[] = [];
  const visit = (node: AstNode, { name, parent }: { name: string; parent: string }): void => {
    const type = node.type ?? '';
    const ownName = nameIn(node) ?? name;
    if (IS_FUNCTION.test(type)) {
      const lines = text.slice(node.start, node.end).split('\n').length;
      measured.push({ file, name: ownName, lines, isArgument: parent === 'CallExpression' });
    }
    for (const child of Object.values(node).flat()) {
      if (typeof child === 'object' && child !== null) visit(child as AstNode, { name: ownName, parent: type });
    }
  };
  const program = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }) as unknown as AstNode;
  visit(program, { name: '', parent: '' });
  return measured;
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
  const all = filesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}');
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

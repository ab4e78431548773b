// The size of functions and folders, and the number of arguments. A function that does not fit on a screen hides what it does. A
// call with three or more positions cannot be read without the declaration beside it.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';
import { type AstNode, nodesOf } from './syntax.ts';

const LINES_MAX = 80;
const ARGUMENTS_MAX = 2;
const P90_MAX = 40;
const FILES_PER_FOLDER_MAX = 28;
/** Policies, deadlines, previews, payments of milestones, operators, corrections, notes, evidence and the documentation came with files of their own. */
const SERVER_FILES_MAX = 840;
/** One file for each resource of the API. */
const RESOURCES = ['contract/src/api', 'cli/src/commands'];
const RESOURCES_MAX = 40;

/** Functions with more arguments, by file and name, and why they stay. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/src/commit/columnar.ts put':
    'It runs for every stored value. An object for each value would only be garbage.',
  'server/src/http/server.ts frameworkErrors': 'Fastify decides the form of this option.',
  'server/src/modules/archives/slices.ts Reviver': 'JSON.parse decides the form of its reviver.',
  'server/src/outgoing/target.ts checkedLookup': 'node:net decides the form of a lookup.',
  'server/src/providers/reply-fields.ts Reviver': 'JSON.parse decides the form of its reviver.',
};

/** A function with this parameter is a hook. Fastify decides its form. */
const HOOK_PARAMETER = 'HookHandlerDoneFunction';

type Measured = {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  readonly count: number;
  /** Whether Fastify decides its form. */
  readonly isHook: boolean;
  /** Whether it has a body, and is not only the type of a function. */
  readonly isFunction: boolean;
  /** Whether it is an argument of a call, as the function of a test is. Then the called function decides its form. */
  readonly isArgument: boolean;
};

const IS_FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const HAS_PARAMETERS =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|TSFunctionType|TSMethodSignature)$/;

/** A rest parameter that is taken apart counts with each of its parts. */
const countOf = (parameter: AstNode): number => {
  const argument = parameter.argument as AstNode | undefined;
  if (parameter.type !== 'RestElement' || argument?.type !== 'ArrayPattern') return 1;
  return (argument.elements as unknown[]).length;
};

/** Every function of a file, and every type of a function. */
const measure = (file: string): Measured[] => {
  const text = readText(file);
  return nodesOf(file, HAS_PARAMETERS).map(({ node, parent, name }) => {
    const parameters = node.params as AstNode[];
    return {
      file,
      name,
      lines: text.slice(node.start, node.end).split('\n').length,
      count: parameters.reduce((sum, each) => sum + countOf(each), 0),
      isHook: parameters.some(({ start, end }) => text.slice(start, end).endsWith(`: ${HOOK_PARAMETER}`)),
      isFunction: IS_FUNCTION.test(node.type ?? ''),
      isArgument: parent?.type === 'CallExpression',
    };
  });
};

/** The same files are judged by several tests, and parsing them takes longer than judging them. */
const known = new Map<string, readonly Measured[]>();

const signaturesOf = (file: string): readonly Measured[] => {
  const measured = known.get(file) ?? measure(file);
  known.set(file, measured);
  return measured;
};

const functionsOf = (file: string): Measured[] => signaturesOf(file).filter(({ isFunction }) => isFunction);

const serverFiles = filesOf('server/src/**/*.ts');

test(`no function has more than ${LINES_MAX} lines, except the body of a test`, () => {
  const files = filesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}', '{tools,scripts,bench}/**/*.ts');
  // A shorter file cannot hold such a function, and to parse every file took 9 s of CPU.
  const isLong = (file: string): boolean => readText(file).split('\n').length > LINES_MAX;
  const ofTests = filesOf('tests/**/*.ts').filter(isLong).flatMap(functionsOf);
  const measured = [...files.filter(isLong).flatMap(functionsOf), ...ofTests.filter(({ isArgument }) => !isArgument)];
  assert.ok(ofTests.length > 2_000);
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

test(`no function of the server has more than ${ARGUMENTS_MAX} positional arguments, except the listed ones`, () => {
  const signatures = serverFiles.flatMap(signaturesOf).filter(({ isArgument }) => !isArgument);
  assert.ok(signatures.length > 2_000);
  const tooMany = signatures.filter(({ count, isHook }) => count > ARGUMENTS_MAX && !isHook);
  const keys = tooMany.map(({ file, name }) => `${file} ${name}`);
  assert.deepEqual([...new Set(keys)].sort(), Object.keys(EXCEPTIONS).sort());
});

test(`no folder holds more than ${FILES_PER_FOLDER_MAX} files, and the server has at most ${SERVER_FILES_MAX}`, () => {
  const all = filesOf('{contract,server,sandbox,sdk,cli,console}/src/**/*.{ts,tsx}', '{tools,scripts,bench}/**/*.ts');
  const folders = Map.groupBy(
    all.filter((file) => !file.startsWith('sdk/src/printed/')),
    (file) => path.dirname(file),
  );
  const full = [...folders].filter(
    ([folder, files]) => files.length > (RESOURCES.includes(folder) ? RESOURCES_MAX : FILES_PER_FOLDER_MAX),
  );
  assert.deepEqual(
    full.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  );
  assert.ok(serverFiles.length <= SERVER_FILES_MAX, `${serverFiles.length} files`);
});

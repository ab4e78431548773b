// The number of arguments. A call with three or more positions cannot be read without the declaration beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, readText } from './sources.ts';
import { type AstNode, nodesOf } from './syntax.ts';

const ARGUMENTS_MAX = 2;

/** Functions with more arguments, by file and name, and why they stay. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server/src/commit/columnar.ts put':
    'It runs for every stored value. An object for each value would only be garbage.',
  'server/src/http/server.ts frameworkErrors': 'Fastify decides the form of this option.',
  'server/src/providers/reply-fields.ts Reviver': 'JSON.parse decides the form of its reviver.',
};

/** A function with this parameter is a hook. Fastify decides its form. */
const HOOK_PARAMETER = 'HookHandlerDoneFunction';

type Signature = { readonly key: string; readonly count: number; readonly isHook: boolean };

const HAS_PARAMETERS =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|TSFunctionType|TSMethodSignature)$/;

/** A rest parameter that is taken apart counts with each of its parts. */
const countOf = (parameter: AstNode): number => {
  const argument = parameter.argument as AstNode | undefined;
  if (parameter.type !== 'RestElement' || argument?.type !== 'ArrayPattern') return 1;
  return (argument.elements as unknown[]).length;
};

/** The signatures of a file, except functions that are written as the argument of a call: their form is the called function's. */
const signaturesOf = (file: string): Signature[] => {
  const text = readText(file);
  return nodesOf(file)
    .filter(({ node, parent }) => HAS_PARAMETERS.test(node.type ?? '') && parent?.type !== 'CallExpression')
    .map(({ node, name }) => {
      const parameters = node.params as AstNode[];
      const isHook = parameters.some(({ start, end }) => text.slice(start, end).endsWith(`: ${HOOK_PARAMETER}`));
      return { key: `${file} ${name}`, count: parameters.reduce((sum, each) => sum + countOf(each), 0), isHook };
    });
};

test(`no function of the server has more than ${ARGUMENTS_MAX} positional arguments, except the listed ones`, () => {
  const signatures = filesOf('server/src/**/*.ts').flatMap(signaturesOf);
  assert.ok(signatures.length > 2_000);
  const tooMany = signatures.filter(({ count, isHook }) => count > ARGUMENTS_MAX && !isHook).map(({ key }) => key);
  assert.deepEqual([...new Set(tooMany)].sort(), Object.keys(EXCEPTIONS).sort());
});

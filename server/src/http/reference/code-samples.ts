// The same request three times, for the reference: with curl, with the SDK, and as plain HTTP. Written from the recorded example of the route.

import type { Example } from './examples.ts';

type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

type Shown = {
  readonly method: string;
  /** With `:id` for parameters, and with the prefix of the surface. */
  readonly path: string;
  /** How the SDK calls the route; absent where it does not. */
  readonly call?: string | undefined;
  readonly client: 'holdfast' | 'person';
  readonly needsKey: boolean;
  readonly example: Example;
};

/** Lines longer than this are broken. */
const LINE_MAX = 88;

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** A value as it is written in TypeScript. */
const literalOf = (value: unknown, indent = ''): string => {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literalOf(item, inner))
    : Object.entries(value).map(([name, item]) => {
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
        return `${key}: ${literalOf(item, inner)}`;
      });
  if (items.length === 0) return isList ? '[]' : '{}';
  const line = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`;
  if (indent.length + line.length <= LINE_MAX && !line.includes('\n')) return line;
  const open = isList ? '[' : '{';
  const close = isList ? ']' : '}';
  return `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent}${close}`;
};

const pathOf = (path: string, { params = {}, query = {} }: Example): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? name));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search}`;
};

const curlOf = ({ method, path, needsKey, client, example }: Shown): string => {
  const address = `"$HOLDFAST_URL${pathOf(path, example)}"`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${address}`];
  if (needsKey) lines.push(`-H "Authorization: Bearer $${client === 'person' ? 'TOKEN' : 'HOLDFAST_KEY'}"`);
  if (example.body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`);
    lines.push(`-d '${JSON.stringify(example.body, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
};

const httpOf = ({ method, path, needsKey, client, example }: Shown): string => {
  const head = [`${method} ${pathOf(path, example)} HTTP/1.1`, 'Host: money.example'];
  if (needsKey) head.push(`Authorization: Bearer ${client === 'person' ? 'YOUR-TOKEN' : 'YOUR-API-KEY'}`);
  if (example.body === undefined) return `${head.join('\n')}\n`;
  return `${[...head, 'Content-Type: application/json'].join('\n')}\n\n${JSON.stringify(example.body, null, 2)}\n`;
};

const without = (body: unknown, name: string): object =>
  Object.fromEntries(Object.entries((body ?? {}) as object).filter(([key]) => key !== name));

/** A call with its arguments filled in. Arguments that the example leaves out are left out. */
const filledCall = (call: string, { params = {}, query, body }: Example): string =>
  call
    .replace(/:(\w+)(?=[,)])/g, (_, name: string) => literalOf(params[name]))
    .replace(/\$(body|query)\.(\w+)/g, (_, part: string, name: string) =>
      literalOf(((part === 'body' ? body : query) as Record<string, unknown> | undefined)?.[name]),
    )
    .replace(/\$all\((\w+)\)/g, (_, name: string) => literalOf({ [name]: params[name], ...(body as object) }))
    .replace(/\$but\((\w+)\)/g, (_, name: string) => literalOf(without(body, name)))
    .replace(/(, )?\$body/g, (_, comma = '') => (body === undefined ? '' : comma + literalOf(body)))
    .replace(/(, )?\$query/g, (_, comma = '') => (query === undefined ? '' : comma + literalOf(query)));

/** Null for a route that a program does not call. */
export const sdkCallOf = ({ call, client, example }: Pick<Shown, 'call' | 'client' | 'example'>): string | null => {
  if (call === undefined) return null;
  const filled = `${client}.${filledCall(call, example)}`;
  // Made by the client itself, without a request.
  return call.includes('Url(') ? `const url = ${filled};` : `const answer = await ${filled};`;
};

/** Written by hand: the stream is a loop. */
export const EVENT_LOOP = [
  "for await (const event of holdfast.events({ types: ['order.created'], since: '2026-01-01T00:00:00Z' })) {",
  "  if (event.payload.clientOrderRef === 'cart-1042') break;",
  '}',
].join('\n');

export const codeSamplesOf = (shown: Shown): CodeSample[] => {
  const sdk = shown.path.endsWith('/events') ? EVENT_LOOP : sdkCallOf(shown);
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(shown) },
    ...(sdk === null ? [] : [{ lang: 'TypeScript', label: 'SDK', source: sdk }]),
    { lang: 'HTTP', label: 'HTTP', source: httpOf(shown) },
  ];
};

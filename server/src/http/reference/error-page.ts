// The page that explains every error code, as `details.docUrl` names it. It is made from the table of errors and has no script.

import { SOMETIMES_DETAILS } from '@holdfast/contract/error-details.ts';
import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const codes = (names: readonly string[]): string => names.map((name) => `<code>${escaped(name)}</code>`).join(', ');

/** A detail that is there only sometimes, with the reason. */
const sometimes = (code: ErrorCode): string => {
  const { name, when } = SOMETIMES_DETAILS[code] ?? {};
  return name === undefined ? '' : `, ${codes([name])} ${escaped(when!)}`;
};

const rows = Object.entries(ERRORS).map(
  ([code, { status, message, details }]) => `<tr id="${code}">
<th scope="row"><a href="#${code}"><code>${code}</code></a></th><td>${status}</td><td>${escaped(message)}</td><td>${codes(details)}${sometimes(code as ErrorCode)}</td>
</tr>`,
);

export const ERROR_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors - Holdfast API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.5rem; text-align: left; vertical-align: top; }
tr:target { background: #fff3bf; color: #000; }
</style>
</head>
<body>
<h1>Errors</h1>
<p>The body of a refusal is <code>{ error: { code, message, details } }</code>. Programs should use <code>code</code>. A message may be more
specific than the one in this table. <code>details</code> always contains <code>requestId</code> and <code>docUrl</code>; the last column
lists the other details. Some routes give a code another status: see the <a href="/docs/reference/">API reference</a>.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Message</th><th scope="col">Details</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;

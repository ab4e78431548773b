// Node calls this reporter in a worker process. It passes every result on to the test runner and prints nothing itself.

import { inspect } from 'node:util';
import type { FromWorker } from './messages.ts';

type Data = {
  readonly name: string;
  readonly nesting: number;
  readonly message?: string;
  readonly skip?: string | boolean;
  readonly details?: { readonly type?: string; readonly error?: Error & { failureType?: string } };
};
type ReporterEvent = { readonly type: string; readonly data: Data };

const send = (message: FromWorker): void => void process.send?.(message);

export default async function* report(source: AsyncIterable<ReporterEvent>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name);
    else if (type === 'test:pass') reportPass(data);
    else if (type === 'test:fail') reportFailure(data, path.slice(0, data.nesting));
    // Node adds its own totals at the outermost level; the test runner counts for itself.
    else if (type === 'test:diagnostic' && data.nesting > 0) send({ kind: 'note', text: data.message ?? '' });
  }
  // A generator without a yield would not be one, and node expects text.
  yield '';
}

function reportPass({ details, skip }: Data): void {
  if (details?.type !== 'suite') send({ kind: 'passed', skipped: skip !== undefined && skip !== false });
}

function reportFailure({ name, details }: Data, above: readonly string[]): void {
  const error = details?.error;
  // The failed test inside was reported already.
  if (error?.failureType === 'subtestsFailed') return;
  const cause = error?.cause ?? error;
  const text = typeof cause === 'string' ? cause : inspect(cause, { depth: 6 });
  send({ kind: 'failed', failure: { path: [...above, name], error: text } });
}

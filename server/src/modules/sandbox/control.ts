// Asks the sandbox's control, which has no key and answers only on this machine. A refusal is a sentence; no answer in time
// is not a no.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';

export type ControlCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
};

const sentenceOf = (body: unknown): string => {
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'string' ? error : 'The sandbox refused it.';
};

export const createSandboxControl =
  ({ url, timeoutMs }: { url: string; timeoutMs: number }) =>
  async ({ method, path, body }: ControlCall): Promise<Answer<unknown>> => {
    try {
      const answer = await fetch(`${url}/control${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const told: unknown = await answer.json();
      if (answer.ok) return yes(told);
      return answer.status < 500 ? no(sentenceOf(told)) : unknown('provider-error', sentenceOf(told));
    } catch (error) {
      return unknown('connection', error instanceof Error ? error.message : String(error));
    }
  };

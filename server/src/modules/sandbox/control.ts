// Calls the control interface of the sandbox, which needs no key and answers only on this machine. A refusal is a sentence. A timeout is
// not a refusal: the outcome is unknown.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';

export type ControlCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
};

const reasonOf = (body: unknown): string => {
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'string' ? error : 'The sandbox refused the request.';
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
      const value: unknown = await answer.json();
      if (answer.ok) return yes(value);
      return answer.status < 500 ? no(reasonOf(value)) : unknown(reasonOf(value), { code: 'provider-error' });
    } catch (error) {
      return unknown(error instanceof Error ? error.message : String(error), { code: 'connection' });
    }
  };

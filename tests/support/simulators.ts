// The control routes of the simulators, as tests use them: read their state, arm faults, pay in, move their clock.

import { httpRequest } from '../../tools/processes/http-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: the simulators' state is read like JavaScript would
type Any = any;

/** Sends `POST /faults` or `GET /state`. A refusal throws. */
export type Control = (request: string, body?: unknown) => Promise<Any>;

export const controlOf =
  (controlUrl: string): Control =>
  async (request, body) => {
    const [method, path] = request.split(' ') as [string, string];
    const { status, text } = await httpRequest(`${controlUrl}${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${request}: ${text}`);
    return JSON.parse(text || 'null');
  };

// A request to a server of the tests over a connection that is kept open. `fetch` took twice the CPU for it, and the tests make
// tens of thousands of requests.

import { Agent, type IncomingMessage, request } from 'node:http';

export type Requested = {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};
export type Received = { readonly status: number; readonly headers: Headers; readonly text: string };

/**
 * An unused connection is closed after this time, long before the server would close it. On a busy machine a request could otherwise
 * use a connection that the server is closing, and fail.
 */
const UNUSED_MS = 1_000;

const agent = new Agent({ keepAlive: true, timeout: UNUSED_MS });

const headersOf = ({ headers }: IncomingMessage): Headers => {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) read.append(name, each);
  }
  return read;
};

export const httpRequest = (url: string, { method, headers, body }: Requested): Promise<Received> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });

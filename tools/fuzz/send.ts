// Sends one request as it is: no client between us and the wire that would tidy up a path, a header or a body. An
// answer that does not come in time is told as a hang, which is a finding and no figure.

import { Agent, request as ask } from 'node:http';

export type Sent = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
};

export type Heard = {
  /** Null: the connection ended, or nothing came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly trouble: string | null;
};

/** Far beyond any deadline of the server's own. */
const HANG_MS = 60_000;
const STREAM = 'text/event-stream';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export const send = (url: string, { method, target, headers, body }: Sent): Promise<Heard> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let settled = false;
    const end = (heard: Heard): void => {
      if (settled) return;
      settled = true;
      clearTimeout(alarm);
      resolve(heard);
    };
    const failed = (trouble: string): void => end({ status: null, headers: {}, text: '', trouble });
    const bytes = body === null ? null : Buffer.from(body, 'utf8');
    const alarm = setTimeout(() => {
      failed(`no answer within ${HANG_MS} ms`);
      request.destroy();
    }, HANG_MS);
    const request = ask(
      {
        hostname,
        port,
        method,
        path: target,
        agent,
        headers: [
          ...['host', `${hostname}:${port}`],
          ...headers.flatMap(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
          ...(bytes ? ['content-length', String(bytes.length)] : []),
        ],
      },
      (response) => {
        const { statusCode = 0, headers: heard } = response;
        const chunks: Buffer[] = [];
        const done = (): void =>
          end({ status: statusCode, headers: heard, text: Buffer.concat(chunks).toString('utf8'), trouble: null });
        if (heard['content-type']?.startsWith(STREAM)) {
          // It goes on for ever; its first line is enough.
          done();
          request.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', done);
        response.on('error', (error) => failed(error.message));
      },
    );
    request.on('error', (error) => failed(error.message));
    request.end(bytes ?? undefined);
  });

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const SHOWN_MAX = 2_000;

/** To be pasted into a shell; a body beyond what anybody reads is cut and said to be. */
export const curlOf = (url: string, { method, target, headers, body }: Sent): string =>
  [
    `curl -sS --path-as-is -X ${method} ${quoted(url + target)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body.slice(0, SHOWN_MAX))}`]),
  ].join(' \\\n  ') +
  (body !== null && body.length > SHOWN_MAX ? `\n# the body goes on: ${body.length} characters` : '');

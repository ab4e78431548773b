// A mail server on a real port: it keeps what arrived, can ask for a password and TLS, refuses recipients, and can be stopped and started
// again at the same port.

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';

type Mail = { readonly to: readonly string[]; readonly isSecure: boolean; readonly text: string };

type Options = {
  readonly user?: string;
  readonly password?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly refused?: readonly string[];
};

export const startMailServer = async (t: Hooks, { user, password, tls, refused = [] }: Options = {}) => {
  const mails: Mail[] = [];
  let attempts = 0;
  const open = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      ...(tls ?? {}),
      disabledCommands: tls ? [] : ['STARTTLS'],
      authOptional: user === undefined,
      allowInsecureAuth: tls === undefined,
      onConnect(_session, done) {
        attempts++;
        done();
      },
      onAuth(given, _session, done) {
        if (given.username === user && given.password === password) done(null, { user });
        else done(new Error('wrong password'));
      },
      onRcptTo({ address }, _session, done) {
        done(refused.includes(address) ? new Error('no such mailbox') : null);
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          mails.push({ to, isSecure: session.secure, text: Buffer.concat(chunks).toString('utf8') });
          done();
        });
      },
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  };
  const stop = (server: SMTPServer): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  let running: SMTPServer | null = await open(0);
  const { port } = running.server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const server = running;
    running = null;
    if (server) await stop(server);
  };
  afterwards(t, close);
  return {
    port,
    mails,
    attempts: () => attempts,
    stop: close,
    async start(): Promise<void> {
      running = await open(port);
    },
  };
};

// Sends e-mails through the mail server of the settings. The library is loaded when the first mail is sent, so a server without e-mail
// does not pay for it. Every wait has an end: a silent mail server must not hold a job.

import type { SendMailOptions } from 'nodemailer';
import { isLoopback } from '../../config/config.ts';
import type { AlertMail } from './mail-text.ts';

type SmtpOptions = {
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  /** Trusted besides the certificates of the system; for tests. */
  readonly ca?: string;
};

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** A password is sent over TLS only, unless the mail server is on this machine. */
const serverOf = ({ url, ca }: SmtpOptions) => {
  const { protocol, hostname, port, username, password } = new URL(url);
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname,
    port: port === '' ? PORTS[protocol]! : port,
    secure: protocol === 'smtps:',
    requireTLS: auth !== null && !isLoopback(hostname),
    ...(auth === null ? {} : { auth }),
    ...(ca === undefined ? {} : { tls: { ca } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  };
};

/** Resolves when the mail server has accepted the mail, with the recipients that it refused. Rejects when it refused all of them. */
export type SendMail = (mail: AlertMail) => Promise<readonly string[]>;

export const createSendMail = (options: SmtpOptions): SendMail => {
  const { from, to } = options;
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(serverOf(options));
    try {
      const message: SendMailOptions = { ...mail, from, to: [...to], disableFileAccess: true, disableUrlAccess: true };
      const { rejected } = await transport.sendMail(message);
      return rejected.map(String);
    } finally {
      transport.close();
    }
  };
};

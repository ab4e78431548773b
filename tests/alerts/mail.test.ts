// E-mails about alerts, against a real mail server: one mail for each run and marketplace, sent at least once, and never in the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import type { Alert } from '../../server/src/modules/alerts/alert.ts';
import { closeAlerts, openAlerts } from '../../server/src/modules/alerts/change-alerts.ts';
import { mailAlerts } from '../../server/src/modules/alerts/mail-alerts.ts';
import { writeMail } from '../../server/src/modules/alerts/mail-text.ts';
import { createAlertReads } from '../../server/src/modules/alerts/queries.ts';
import { createSendMail, type SendMail } from '../../server/src/modules/alerts/smtp.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { newDatabase, openFixture } from '../commit/fixture.ts';
import { TLS } from './certificate.ts';
import { startMailServer } from './smtp-receiver.ts';

const FROM = 'holdfast@shop.example';
const TO = ['ops@shop.example', 'cfo@shop.example'];

type LogLine = { readonly level: 'warn' | 'info'; readonly message: string };

const openMails = async (t: Hooks) => {
  const { pool, submit, marketplaceId } = await openFixture(t, { connection: await newDatabase(t) });
  const log: LogLine[] = [];
  let steady = 0;
  const keep = (level: LogLine['level']) => (first: unknown, second?: string) =>
    void log.push({ level, message: second ?? String(first) });
  const jobWith = (send: SendMail | null) =>
    mailAlerts({
      reads: createAlertReads(pool),
      submit: (submission) =>
        submit(submission.command, submission.input, { marketplaceId: submission.context.marketplaceId }),
      send,
      log: { warn: keep('warn'), info: keep('info') } as never,
      steadyMs: () => steady,
    });
  const rows = async () =>
    (await pool.query('select id, subject, opened_mail, closed_mail from alerts order by id')).rows;
  return {
    log,
    jobWith,
    marketplaceId,
    async open(subjects: readonly string[], of: { mail?: 'DUE' | 'NONE'; marketplaceId?: string } = {}) {
      const { mail = 'DUE', ...where } = of;
      const conditions = subjects.map((subject) => ({ subject, message: `See <${subject}>.`, since: null }));
      await submit(openAlerts, { kind: 'WITHDRAWAL_STUCK', conditions, mail }, where);
    },
    async close(subject: string) {
      const ids = (await rows()).filter((row) => row.subject === subject).map(({ id }) => id);
      await submit(closeAlerts, { kind: 'WITHDRAWAL_STUCK', ids, mail: 'DUE' });
    },
    states: async () => (await rows()).map((row) => `${row.subject} ${row.opened_mail} ${row.closed_mail}`),
    pass(minutes: number) {
      steady += minutes * 60_000;
    },
  };
};

const sendTo = (port: number, more: { user?: string; to?: readonly string[]; ca?: string } = {}): SendMail =>
  createSendMail({
    url: `smtp://${more.user ? `${more.user}@` : ''}127.0.0.1:${port}`,
    from: FROM,
    to: more.to ?? TO,
    ...(more.ca ? { ca: more.ca } : {}),
  });

const subjectOf = (mail: string): string =>
  /^Subject: ((?:.*\r\n[ \t])*.*)\r$/m.exec(mail)![1]!.replace(/\r\n\s/g, ' ');

test('one mail for each marketplace with all changes of the run, as text and as HTML, and no second one', async (t) => {
  const server = await startMailServer(t);
  const alerts = await openMails(t);
  const job = alerts.jobWith(sendTo(server.port));
  await alerts.open(['wdr_1', 'wdr_2']);
  await alerts.open(['wdr_9'], { marketplaceId: 'mkt_other' });
  await job.run();
  await job.run();
  assert.equal(server.mails.length, 2);
  const [other, own] = server.mails;
  assert.deepEqual(own!.to, TO);
  assert.equal(subjectOf(own!.text), '[Holdfast mkt_test] new: 2 stuck withdrawals');
  assert.equal(subjectOf(other!.text), '[Holdfast mkt_other] new: 1 stuck withdrawal');
  assert.match(own!.text, /Content-Type: text\/plain/);
  assert.match(own!.text, /Content-Type: text\/html/);
  assert.match(own!.text, /&lt;wdr_1&gt;/);
  assert.doesNotMatch(own!.text, /wdr_9/);
  await alerts.close('wdr_1');
  await alerts.open(['wdr_3']);
  await job.run();
  assert.equal(
    subjectOf(server.mails[2]!.text),
    '[Holdfast mkt_test] new: 1 stuck withdrawal; ended: 1 stuck withdrawal',
  );
  assert.deepEqual(await alerts.states(), ['wdr_1 SENT SENT', 'wdr_2 SENT NONE', 'wdr_9 SENT NONE', 'wdr_3 SENT NONE']);
  assert.deepEqual(alerts.log, []);
});

test('an alert that ended before its mail is in one mail with its beginning and its end', async (t) => {
  const server = await startMailServer(t);
  const alerts = await openMails(t);
  await alerts.open(['wdr_1']);
  await alerts.close('wdr_1');
  await alerts.jobWith(sendTo(server.port)).run();
  assert.equal(server.mails.length, 1);
  assert.match(subjectOf(server.mails[0]!.text), /new: 1 stuck withdrawal; ended: 1 stuck withdrawal/);
});

test('without e-mail nothing is sent, and what was opened then is not mailed later', async (t) => {
  const server = await startMailServer(t);
  const alerts = await openMails(t);
  await alerts.open(['wdr_1'], { mail: 'NONE' });
  await alerts.jobWith(null).run();
  await alerts.jobWith(sendTo(server.port)).run();
  assert.deepEqual([server.mails.length, server.attempts()], [0, 0]);
});

test('a mail server that is down is logged once, tried less and less often, and gets the mail when it is up', async (t) => {
  const server = await startMailServer(t);
  const alerts = await openMails(t);
  const send = sendTo(server.port);
  let tries = 0;
  const job = alerts.jobWith((mail) => {
    tries++;
    return send(mail);
  });
  await alerts.open(['wdr_1']);
  await server.stop();
  for (let minute = 0; minute < 20; minute++) {
    await job.run();
    alerts.pass(1);
  }
  assert.equal(tries, 5, 'at the minutes 0, 1, 3, 7 and 15');
  assert.deepEqual(
    alerts.log.map(({ level }) => level),
    ['warn'],
  );
  assert.deepEqual(await alerts.states(), ['wdr_1 DUE NONE']);
  await server.start();
  alerts.pass(60);
  await alerts.open(['wdr_2']);
  await job.run();
  assert.equal(server.mails.length, 1);
  assert.match(subjectOf(server.mails[0]!.text), /new: 2 stuck withdrawals/);
  assert.deepEqual(
    alerts.log.map(({ level }) => level),
    ['warn', 'info'],
  );
});

test('a server that dies after the mail was accepted sends it again', async (t) => {
  const server = await startMailServer(t);
  const alerts = await openMails(t);
  const send = sendTo(server.port);
  await alerts.open(['wdr_1']);
  const killed = alerts.jobWith(async (mail) => {
    await send(mail);
    throw new Error('killed');
  });
  await killed.run();
  assert.deepEqual(await alerts.states(), ['wdr_1 DUE NONE']);
  await alerts.jobWith(send).run();
  assert.equal(server.mails.length, 2);
  assert.deepEqual(await alerts.states(), ['wdr_1 SENT NONE']);
});

test('a refused recipient is logged and the others get the mail; when all are refused it is tried again', async (t) => {
  const server = await startMailServer(t, { refused: [TO[1]!] });
  const alerts = await openMails(t);
  await alerts.open(['wdr_1']);
  const refusing = alerts.jobWith(sendTo(server.port, { to: [TO[1]!] }));
  await refusing.run();
  assert.deepEqual(await alerts.states(), ['wdr_1 DUE NONE']);
  await alerts.jobWith(sendTo(server.port)).run();
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [[TO[0]]],
  );
  assert.deepEqual(
    alerts.log.map(({ message }) => message),
    ['e-mails about alerts cannot be sent; they are tried again', 'the mail server refused some recipients of alerts'],
  );
});

test('a password is sent over STARTTLS; a wrong one and an unknown certificate send nothing', async (t) => {
  const server = await startMailServer(t, { user: 'ops', password: 'a:b/c', tls: TLS });
  const alerts = await openMails(t);
  await alerts.open(['wdr_1']);
  await alerts.jobWith(sendTo(server.port, { user: 'ops:wrong', ca: TLS.cert })).run();
  await alerts.jobWith(sendTo(server.port, { user: 'ops:a%3Ab%2Fc' })).run();
  assert.equal(server.mails.length, 0);
  await alerts.jobWith(sendTo(server.port, { user: 'ops:a%3Ab%2Fc', ca: TLS.cert })).run();
  assert.deepEqual(
    server.mails.map(({ isSecure }) => isSecure),
    [true],
  );
});

test('SMTP_URL without a sender or recipients stops the start, and no message shows the password', () => {
  const problems = (env: Env): string[] => {
    const read = readConfig(env);
    return read.ok ? [] : read.problems;
  };
  const url = 'smtps://ops:hunter2@mail.example';
  assert.deepEqual(problems({ SMTP_URL: url, ALERT_EMAIL_FROM: FROM, ALERT_EMAIL_TO: TO.join(',') }), []);
  const missing = problems({ SMTP_URL: url, ALERT_EMAIL_FROM: FROM });
  assert.match(missing.join(), /ALERT_EMAIL_TO are needed/);
  const wrong = problems({ SMTP_URL: 'http://ops:hunter2@mail.example', ALERT_EMAIL_TO: 'no-address' });
  assert.equal(wrong.length, 2);
  assert.doesNotMatch([...missing, ...wrong].join(), /hunter2/);
});

test('a mail says once what to do', () => {
  const next = 'Pay to the address that GET /api/v1/treasury/deposit names.';
  const alert = { id: 'alr_1', subject: 'USDC', since: '2026-11-17T12:00:00.000000Z', kind: 'TREASURY_LOW' } as Alert;
  const mailOf = (message: string) =>
    writeMail({ marketplaceId: 'mkt_shop', opened: [{ ...alert, message }], closed: [] });
  assert.equal(mailOf(`The treasury is low. ${next}`).text.split(next).length, 2);
  assert.match(mailOf('The treasury is low.').text, /Next: Pay to the address/);
});

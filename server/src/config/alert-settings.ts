// Settings of alerts for people: when a condition counts, and the e-mails about them.

import { duration, list, url, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

const mailAddress = words({
  pattern: /^[^\s<>,"@]{1,64}@[^\s<>,"@]{1,255}$/,
  expects: 'an e-mail address such as ops@shop.example',
});

export const ALERT_SETTINGS = {
  alerts: {
    operationStuckMs: setting({
      name: 'ALERT_OPERATION_STUCK_S',
      parser: duration({ unit: 's', min: 0, max: 86_400 }),
      default: '900',
      meaning:
        'After this time an alert is opened for an operation that was retried and has not ended, and for a committed withdrawal that is not at the payment provider or on the ledger.',
      example: '300',
    }),
    payoutStuckMs: setting({
      name: 'ALERT_PAYOUT_STUCK_H',
      parser: duration({ unit: 'h', min: 0, max: 8_760 }),
      default: '96',
      meaning:
        'After this time an alert is opened for a withdrawal that is pending at the payment provider. Bank transfers may take some days.',
      example: '48',
    }),
    deadlineStuckMs: setting({
      name: 'ALERT_DEADLINE_STUCK_S',
      parser: duration({ unit: 's', min: 0, max: 86_400 }),
      default: '900',
      meaning:
        'After this time an alert is opened for a deadline of an order that is due and not carried out. It passes within a second or so unless an operation runs on its order.',
      example: '300',
    }),
    approvalWaitingMs: setting({
      name: 'ALERT_APPROVAL_WAITING_H',
      parser: duration({ unit: 'h', min: 0, max: 8_760 }),
      default: '4',
      meaning: 'After this time an alert is opened for a request that still waits for approval.',
      example: '1',
    }),
    backupMaxAgeMs: optionalSetting({
      name: 'BACKUP_MAX_AGE_H',
      parser: duration({ unit: 'h', min: 1, max: 8_760 }),
      unset: 'no alert about backups',
      meaning:
        'An alert is opened when the last backup that `npm run backup` has taken or recorded is older than this.',
      example: '26',
    }),
    retentionMs: setting({
      name: 'ALERT_RETENTION_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 3_650 }),
      default: '90',
      meaning: 'How long alerts are kept after they have ended.',
      example: '365',
    }),
    smtpUrl: optionalSetting({
      name: 'SMTP_URL',
      parser: url({ schemes: ['smtp', 'smtps'], expects: 'an smtp:// or smtps:// URL' }),
      secret: true,
      unset: 'no e-mails are sent',
      meaning:
        'Mail server for e-mails about alerts. With smtp:// and a password, TLS (STARTTLS) is required unless the server is on loopback.',
      example: 'smtps://user:password@mail.example:465',
    }),
    emailFrom: optionalSetting({
      name: 'ALERT_EMAIL_FROM',
      parser: mailAddress,
      unset: 'needed with SMTP_URL',
      meaning: 'Sender of e-mails about alerts.',
      example: 'holdfast@shop.example',
    }),
    emailTo: setting({
      name: 'ALERT_EMAIL_TO',
      parser: list(mailAddress),
      default: '',
      meaning: 'Recipients of e-mails about alerts, of all marketplaces.',
      example: 'ops@shop.example,cfo@shop.example',
    }),
  },
};

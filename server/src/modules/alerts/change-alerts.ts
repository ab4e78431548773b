// The commands that open and close alerts and that note a sent e-mail. Each opens and closes only what is not open or closed already, so a
// second server that saw the same condition announces nothing.

import type { EventPayload } from '@holdfast/contract/events.ts';
import type { SystemAlertKind } from '@holdfast/contract/states.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Alert, MailState } from './alert.ts';
import { ALERT_KINDS, counted } from './alert-kinds.ts';

/** More changes of one kind in one run are one event. */
const EVENTS_MAX = 5;
const SUBJECTS_MAX = 20;

type Condition = {
  readonly subject: string;
  readonly message: string;
  /** Null: it is not known, so it is the time of the alert. */
  readonly since: string | null;
};

type Change = 'opened' | 'closed';

type Payload = EventPayload<'system.break_opened'>;

const messageOf = (alert: Alert, change: Change): string =>
  change === 'opened' ? alert.message : `This has ended, nothing needs to be done: ${alert.message}`;

const single = (alert: Alert, change: Change): Payload => ({
  kind: alert.kind,
  count: 1,
  subjects: [alert.subject],
  message: messageOf(alert, change),
  since: alert.since,
});

const grouped = (alerts: readonly Alert[], change: Change): Payload => {
  const { kind } = alerts[0]!;
  const what = counted(kind, alerts.length);
  return {
    kind,
    count: alerts.length,
    subjects: alerts.slice(0, SUBJECTS_MAX).map(({ subject }) => subject),
    message: change === 'opened' ? `${what}. ${ALERT_KINDS[kind].next}` : `Ended: ${what}. Nothing needs to be done.`,
    since: alerts.map(({ since }) => since).sort()[0]!,
  };
};

/** The events of a kind have one aggregate, so that a webhook endpoint gets the end of an alert after its beginning. */
const announce = (work: UnitOfWork, { alerts, change }: { alerts: readonly Alert[]; change: Change }): void => {
  if (alerts.length === 0) return;
  const { kind } = alerts[0]!;
  const payloads =
    alerts.length > EVENTS_MAX ? [grouped(alerts, change)] : alerts.map((alert) => single(alert, change));
  const [opened, closed] = ALERT_KINDS[kind].emits;
  const type = change === 'opened' ? opened : closed;
  for (const payload of payloads) work.emit({ type, aggregateId: kind, payload });
};

const openOf = (work: UnitOfWork, kind: SystemAlertKind): Alert[] =>
  work.listBy('alerts', { by: 'openOfKind', value: kind });

type OpenInput = {
  readonly kind: SystemAlertKind;
  readonly conditions: readonly Condition[];
  readonly mail: Exclude<MailState, 'SENT'>;
};

/** Returns how many were opened. */
export const openAlerts = command<OpenInput, number>({
  name: 'open-alerts',
  needs: ({ kind }) => ({ rows: [{ table: 'alerts', by: 'openOfKind', value: kind }] }),
  decide({ kind, conditions, mail }, work) {
    const known = new Set(openOf(work, kind).map(({ subject }) => subject));
    const fresh = conditions.filter(({ subject }) => !known.has(subject));
    const alerts = fresh.map(
      ({ subject, message, since }): Alert => ({
        id: work.newId('alert'),
        kind,
        subject,
        message,
        since: since ?? work.now,
        openedAt: work.now,
        closedAt: null,
        openedMail: mail,
        closedMail: 'NONE',
      }),
    );
    for (const alert of alerts) {
      const { id, subject, message, since } = alert;
      work.put('alerts', alert);
      work.audit({
        action: 'ALERT_OPENED',
        resourceType: 'Alert',
        resourceId: id,
        after: { kind, subject, message, since },
      });
    }
    announce(work, { alerts, change: 'opened' });
    return alerts.length;
  },
});

type CloseInput = {
  readonly kind: SystemAlertKind;
  readonly ids: readonly string[];
  readonly mail: Exclude<MailState, 'SENT'>;
};

/** Returns how many were closed. */
export const closeAlerts = command<CloseInput, number>({
  name: 'close-alerts',
  needs: ({ kind }) => ({ rows: [{ table: 'alerts', by: 'openOfKind', value: kind }] }),
  decide({ kind, ids, mail }, work) {
    const ended = new Set(ids);
    const alerts = openOf(work, kind).filter(({ id }) => ended.has(id));
    for (const alert of alerts) {
      const { id, subject } = alert;
      work.put('alerts', { ...alert, closedAt: work.now, closedMail: mail });
      work.audit({ action: 'ALERT_CLOSED', resourceType: 'Alert', resourceId: id, after: { kind, subject } });
    }
    announce(work, { alerts, change: 'closed' });
    return alerts.length;
  },
});

/** What one e-mail said: the beginnings and the ends of alerts, by id. */
type MailedInput = { readonly opened: readonly string[]; readonly closed: readonly string[] };

export const markMailed = command<MailedInput, void>({
  name: 'mark-alerts-mailed',
  needs: ({ opened, closed }) => ({
    rows: [...new Set([...opened, ...closed])].map((id) => ({ table: 'alerts', id })),
  }),
  decide({ opened, closed }, work) {
    for (const id of new Set([...opened, ...closed])) {
      const alert = work.get('alerts', id);
      work.put('alerts', {
        ...alert,
        openedMail: opened.includes(id) ? 'SENT' : alert.openedMail,
        closedMail: closed.includes(id) ? 'SENT' : alert.closedMail,
      });
    }
    const first = opened[0] ?? closed[0]!;
    work.audit({
      action: 'ALERT_MAILED',
      resourceType: 'Alert',
      resourceId: first,
      after: { opened: opened.length, closed: closed.length },
    });
  },
});

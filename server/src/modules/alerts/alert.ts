// An alert as it is stored: a condition that a person has to look at, from the moment it was seen until it has ended. The job of this
// module opens and closes the rows; nothing else does.

import type { SystemAlertKind } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';

/** Whether an e-mail about the beginning or the end of an alert is due. `NONE`: e-mail was not set when it happened. */
export type MailState = 'NONE' | 'DUE' | 'SENT';

export type Alert = {
  readonly id: string;
  readonly kind: SystemAlertKind;
  readonly subject: string;
  readonly message: string;
  /** When the condition began, as far as it is known. */
  readonly since: string;
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly openedMail: MailState;
  readonly closedMail: MailState;
};

export type PlacedAlert = Alert & { readonly marketplaceId: string };

declare module '../../commit/tables.ts' {
  interface Tables {
    alerts: Alert;
  }
  interface Lookups {
    alerts: { openOfKind: string };
  }
}

export const ALERTS = table('alerts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'alerts',
  columns: ['id', 'kind', 'subject', 'message', 'since', 'openedAt', 'closedAt', 'openedMail', 'closedMail'],
  lookups: {
    openOfKind: {
      sql: 't.kind',
      where: { sql: 't.closed_at is null', holds: ({ closedAt }) => closedAt === null },
      value: ({ kind }) => kind,
    },
  },
});

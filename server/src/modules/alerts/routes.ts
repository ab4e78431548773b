// Routes of alerts.

import { listAlerts } from '@holdfast/contract/api/operations.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import type { Alert } from './alert.ts';
import type { AlertReads } from './queries.ts';

const presentAlert = ({ id, kind, subject, message, since, openedAt, closedAt }: Alert) => ({
  id,
  kind,
  status: closedAt === null ? ('OPEN' as const) : ('CLOSED' as const),
  subject,
  message,
  since,
  openedAt,
  closedAt,
});

export const alertRoutes = ({ reads }: { readonly reads: Pick<AlertReads, 'list'> }): Route[] => [
  list(listAlerts, async ({ query, context }) => {
    const page = await reads.list(pageRequest('alert', { query, context }));
    return { items: page.rows.map(presentAlert), nextCursor: page.nextCursor };
  }),
];

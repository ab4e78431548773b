// Routes of reservations.

import { listReservations } from '@holdfast/contract/api/reservations.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route } from '../../http/route.ts';
import { presentReservation } from './present-reservation.ts';
import type { ReservationReads } from './reservation-queries.ts';

type Parts = { readonly reservations: ReservationReads };

export const reservationRoutes = ({ reservations }: Parts): Route[] => [
  list(listReservations, async ({ params: { id: userId }, query, context: { marketplaceId } }) => {
    const page = await reservations.list({
      ...query,
      ...{ marketplaceId, userId },
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    if (page.rows.length === 0 && !(await reservations.hasUser(marketplaceId, userId)))
      throw new DomainError('USER_NOT_FOUND');
    return { items: page.rows.map(presentReservation), nextCursor: page.nextCursor };
  }),
];

// Routes of reservations.

import { listReservations } from '@holdfast/contract/api/reservations.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { Fault } from '../../domain/fault.ts';
import type { ReservationReads } from '../../store/reads/reservations.ts';
import { list, type Route } from '../door.ts';
import { presentReservation } from '../present/reservation.ts';
import { badCursor } from './cursor.ts';

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
      throw new Fault('USER_NOT_FOUND');
    return { items: page.rows.map(presentReservation), nextCursor: page.nextCursor };
  }),
];

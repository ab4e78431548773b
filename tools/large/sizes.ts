// How large the filled marketplace is, and the sizes that follow from it.

export type Sizes = { readonly users: number; readonly orders: number; readonly postings: number };

/** Postings of the moves that every fifth order has besides: into its contract and out of it. */
const POSTINGS_PER_ORDER = 8;
export const AUDITS_PER_USER = 2;
export const AUDITS_PER_ORDER = 5;
export const EVENTS_PER_ORDER = 4;
/** Events are kept for a month, and the orders cover eleven. */
const SHARE_WITH_EVENTS = 1 / 11;

/** Credits by the operator, so that there are as many postings as were asked for. Each is two postings, as is the top-up of each user. */
export const creditsOf = ({ users, orders, postings }: Sizes): number =>
  Math.max(0, Math.round((postings - users * 2 - orders * POSTINGS_PER_ORDER) / 2));

export const firstOrderWithEvents = ({ orders }: Sizes): number => Math.floor(orders * (1 - SHARE_WITH_EVENTS));

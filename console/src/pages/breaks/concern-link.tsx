// The owner of the address of a break, as a link where it has a page.

import { Link } from 'react-router';
import { shortId } from '../../parts/id.tsx';
import type { Concern } from './concerns.ts';

export const ConcernLink = ({ concern }: { readonly concern: Concern }) => {
  switch (concern.kind) {
    case 'user':
      return <Link to={`/users/${concern.userId}?tab=wallet`}>{concern.name}</Link>;
    case 'order':
      return <Link to={`/orders/${concern.orderId}`}>{concern.name || `Order ${shortId(concern.orderId)}`}</Link>;
    case 'house':
      return <span>{concern.name}</span>;
    case 'looking':
      return <span className="soft">Searching for the owner…</span>;
    default:
      return null;
  }
};

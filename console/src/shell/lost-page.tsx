// The page for an unknown path.

import { Link } from 'react-router';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';

export const LostPage = () => (
  <>
    <PageHeader title="Page not found" />
    <section className="panel">
      <Empty title="This page does not exist" action={<Link to="/">Go to Home</Link>}>
        {' '}
        The link may be outdated or mistyped. Press / to search for an order, a user or an ID.
      </Empty>
    </section>
  </>
);

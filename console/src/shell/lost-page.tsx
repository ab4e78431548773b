// There is no such page.

import { Link } from 'react-router';
import { Empty } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';

export const LostPage = () => (
  <>
    <PageHeader title="No such page" />
    <section className="panel">
      <Empty title="Nothing is at this address" action={<Link to="/">Go to the first page</Link>}>
        The link may be old, or mistyped. Press / to search for an order, a user, or any id.
      </Empty>
    </section>
  </>
);

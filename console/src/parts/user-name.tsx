// A user by name, as a link to the page of the user; the id until the name is known.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useClient } from '../session.tsx';
import { Id } from './id.tsx';

export const UserName = ({ id }: { readonly id: string }) => {
  const client = useClient();
  const { data } = useQuery({ queryKey: ['users', id], queryFn: () => client.users.get(id) });
  if (!data) return <Id value={id} />;
  return (
    <Link to={`/users/${id}`} title={id}>
      {data.externalUserId}
    </Link>
  );
};

// Shows the data of a query, its loading state, or its error with advice.

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice, Skeleton } from './notice.tsx';

type Props<Data> = {
  readonly query: UseQueryResult<Data>;
  /** The name of the data, as the start of a sentence: `Order`. */
  readonly name: string;
  readonly children: (data: Data) => ReactNode;
};

export const Loaded = <Data,>({ query, name, children }: Props<Data>) => {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return <ErrorNotice title={`${name} could not be loaded`} error={query.error} again={() => void query.refetch()} />;
  }
  return (
    <div className="stack-tight" role="status" aria-label={`${name} is loading`}>
      <Skeleton />
      <Skeleton />
      <Skeleton />
    </div>
  );
};

// Whether the form for a new record is open. It is kept in the URL, so that other pages can link to it.

import { useSearchParams } from 'react-router';

const PARAMETER = 'new';

export const useMaking = () => {
  const [search, setSearch] = useSearchParams();
  const change = (edit: (next: URLSearchParams) => void): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true },
    );
  return {
    isOpen: search.has(PARAMETER),
    begin: () => change((next) => next.set(PARAMETER, 'true')),
    end: () => change((next) => next.delete(PARAMETER)),
  };
};

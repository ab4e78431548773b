// Whether the form for a new record is open: in the URL, so that another page can lead straight to it.

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

// Whether somebody can see the page. A browser has six connections to a server for all of its tabs together, so a tab in
// the background must not hold one for ever: the seventh tab would wait for nothing.

import { useEffect, useState } from 'react';

/** Who only looks something up in another tab comes back to a page that has not moved. */
const LEFT_MS = 5_000;

export const useSeen = (): boolean => {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    let timer: number | undefined;
    const look = (): void => {
      window.clearTimeout(timer);
      if (document.hidden) timer = window.setTimeout(() => setSeen(false), LEFT_MS);
      else setSeen(true);
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return isSeen;
};

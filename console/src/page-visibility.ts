// Whether the page is visible. A browser has six connections per server for all of its tabs together, so a tab in the
// background must close its event stream: the seventh tab would wait for a free connection.

import { useEffect, useState } from 'react';

/** A short visit to another tab does not close the stream. */
const LEFT_MS = 5_000;

export const useIsPageVisible = (): boolean => {
  const [isVisible, setSeen] = useState(!document.hidden);
  useEffect(() => {
    let timer: number | undefined;
    const update = (): void => {
      window.clearTimeout(timer);
      if (document.hidden) timer = window.setTimeout(() => setSeen(false), LEFT_MS);
      else setSeen(true);
    };
    document.addEventListener('visibilitychange', update);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return isVisible;
};

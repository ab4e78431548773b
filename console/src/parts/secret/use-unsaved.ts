// Asks before the page is left while it shows something that cannot be shown again: on a reload and a closed tab the browser asks, on a
// change of page the caller does.

import { useEffect } from 'react';
import { useBlocker } from 'react-router';

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

export const useUnsaved = (isUnsaved: boolean) => {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  return {
    isLeaving: blocker.state === 'blocked',
    stay: () => blocker.reset?.(),
    /** To the page that was asked for, if any. */
    leave: () => blocker.proceed?.(),
  };
};

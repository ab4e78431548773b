// A value once it has not changed for a moment, so that not every key or step asks the server.

import { useEffect, useState } from 'react';

export const useSettled = (value: string, afterMs: number): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), afterMs);
    return () => window.clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
};

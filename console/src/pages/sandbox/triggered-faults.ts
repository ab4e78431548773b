// The triggered faults, found by their counts between two polls. Clearing a fault does not count.

import type { SandboxFault } from '@holdfast/sdk';
import { useEffect, useRef, useState } from 'react';

export type TriggeredFault = {
  readonly key: string;
  readonly operation: string;
  readonly fault: string;
  readonly times: number;
  readonly at: string;
};

const KEPT_MAX = 8;

const triggeredBetween = (before: readonly SandboxFault[], now: readonly SandboxFault[]) =>
  before.flatMap(({ id, operation, fault, count }) => {
    const times = count - (now.find((one) => one.id === id)?.count ?? 0);
    return times > 0 ? [{ id, operation, fault, times }] : [];
  });

export const useTriggeredFaults = (armed: readonly SandboxFault[]) => {
  const [list, setList] = useState<readonly TriggeredFault[]>([]);
  const last = useRef(armed);
  const cleared = useRef(new Set<string>());
  useEffect(() => {
    const at = new Date().toISOString();
    const fresh = triggeredBetween(last.current, armed)
      .filter(({ id }) => !cleared.current.has(id))
      .map((one) => ({ ...one, at, key: `${one.id} ${at}` }));
    last.current = armed;
    if (fresh.length > 0) setList((before) => [...fresh, ...before].slice(0, KEPT_MAX));
  }, [armed]);
  return {
    list,
    /** Call before the armed faults are cleared. */
    forget: () => {
      for (const { id } of armed) cleared.current.add(id);
    },
  };
};

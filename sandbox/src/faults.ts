// The armed faults. A simulator checks them before it acts; the first armed fault that matches takes effect and is counted down.
// There is no randomness: the same script gives the same run.

import { FAULTS, type FaultName, OPERATIONS, type Operation } from './faults-table.ts';
import { Refusal } from './refusal.ts';
import type { Slice } from './state.ts';

export type Fault = {
  id: string;
  operation: Operation;
  fault: FaultName;
  // How many more calls the fault affects.
  count: number;
  delayMs: number | null;
  // An id that the call must carry: of an order, payin or payout, the provider's or ours.
  match: string | null;
};

export type FaultScript = { operation: string; fault: string; count?: number; delayMs?: number; match?: string };

export type Strike = {
  operation: Operation;
  // Every id by which a script may name this call.
  ids: readonly (string | null | undefined)[];
  // Only these faults act at this point; others stay armed for theirs.
  of?: readonly FaultName[];
};

export type Faults = {
  arm(script: FaultScript): Fault;
  list(): Fault[];
  clear(): void;
  strike(call: Strike): Fault | null;
};

export function keepFaults({ slice }: { slice: Slice }): Faults {
  const armed = slice.table<Fault>('faults');
  const numbers = slice.table<number>('numbers');

  return {
    arm(script) {
      const { operation, fault } = known(script);
      const number = (numbers.get('fault') ?? 0) + 1;
      numbers.set('fault', number);
      const { count = 1, delayMs = null, match = null } = script;
      const entry = { id: `fault_${number}`, operation, fault, count, delayMs, match };
      armed.set(entry.id, entry);
      return entry;
    },
    list: () => [...armed.values()],
    clear() {
      for (const id of [...armed.keys()]) armed.delete(id);
    },
    strike({ operation, ids, of }) {
      if (armed.size === 0) return null;
      for (const entry of armed.values()) {
        if (entry.operation !== operation || (of !== undefined && !of.includes(entry.fault))) continue;
        if (entry.match !== null && !ids.includes(entry.match)) continue;
        if (entry.count > 1) armed.set(entry.id, { ...entry, count: entry.count - 1 });
        else armed.delete(entry.id);
        return entry;
      }
      return null;
    },
  };
}

function known({ operation, fault }: FaultScript): { operation: Operation; fault: FaultName } {
  if (!Object.hasOwn(OPERATIONS, operation)) {
    throw new Refusal(400, `Unknown operation "${operation}". Use one of: ${Object.keys(OPERATIONS).join(', ')}.`);
  }
  if (!(FAULTS as readonly string[]).includes(fault)) {
    throw new Refusal(400, `Unknown fault "${fault}". Use one of: ${FAULTS.join(', ')}.`);
  }
  const possible: readonly string[] = OPERATIONS[operation as Operation];
  if (!possible.includes(fault)) {
    const sentence = `The fault "${fault}" is not supported by "${operation}". Use one of: ${possible.join(', ')}.`;
    throw new Refusal(400, sentence);
  }
  return { operation: operation as Operation, fault: fault as FaultName };
}

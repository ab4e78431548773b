// A row of facts that is left out without a value.

import type { ReactNode } from 'react';

type Row = readonly [string, ReactNode];

export const only = (value: string | null, row: Row): readonly Row[] => (value === null ? [] : [row]);

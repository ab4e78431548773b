// A row of facts only where there is something to tell.

import type { ReactNode } from 'react';

type Row = readonly [string, ReactNode];

export const only = (value: string | null, row: Row): readonly Row[] => (value === null ? [] : [row]);

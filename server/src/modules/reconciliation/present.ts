// A break as the wire shows it.

import type { BreakRecord } from './queries.ts';

export const presentBreak = (record: BreakRecord) => ({ ...record, isOpen: record.resolvedAt === null });

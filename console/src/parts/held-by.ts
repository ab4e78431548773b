// The words for who holds payments.

const ACTORS: Readonly<Record<string, string>> = {
  master: 'the master key',
  restore: 'the restore of a backup',
};

export const heldByWords = (heldBy: string | null): string => ACTORS[heldBy ?? ''] ?? heldBy ?? 'an operator';

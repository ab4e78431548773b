// Seals the closing of a month: stores its figures, and their hash in the audit chain. A month is sealed once, and months in their order.

import { command } from '../../commit/command.ts';
import { closingHash, type Sealed } from './closing.ts';

type SealInput = Omit<Sealed, 'hash' | 'sealedAt'>;

/** Replies with the closing that is sealed, also when another process has sealed it. */
export const sealClosing = command<SealInput, Sealed>({
  name: 'seal-closing',
  needs: ({ id }) => ({ rows: [{ table: 'closings', id }] }),
  decide(input, work) {
    const known = work.find('closings', input.id);
    if (known) return known;
    if (work.now < input.toAt) throw new Error(`the month ${input.id} has not ended`);
    const hash = closingHash({ ...input, marketplaceId: work.context.marketplaceId });
    const sealed: Sealed = { ...input, hash, sealedAt: work.now };
    work.put('closings', sealed);
    const { id, currencies } = sealed;
    work.audit({ action: 'CLOSING_SEALED', resourceType: 'Closing', resourceId: id, after: { hash, currencies } });
    return sealed;
  },
});

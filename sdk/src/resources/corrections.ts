// Corrections: ways out of states that no other call can leave, each with its figures before and after.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { Correction, CreateCorrectionInput, ListCorrectionsQuery } from '../printed/corrections.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const correctionResource = (transport: Transport) => ({
  /**
   * Asks the outside systems, and corrects the record as far as their records prove it. A correction that does not fit is refused with
   * `CORRECTION_REFUSED`: the facts are in `details.facts`, the next step is in the message.
   */
  create: <O extends CallOptions>(input: CreateCorrectionInput, options?: O): Promise<MaybePreview<Correction, O>> =>
    transport.change<Correction, O>(ROUTES.createCorrection, { body: input }, options),

  /** Newest first. */
  list: (query: ListCorrectionsQuery = {}, options?: CallOptions): List<Correction> =>
    listing(transport, ROUTES.listCorrections, { query, options }),

  get: (id: string, options?: CallOptions): Promise<Correction> =>
    transport.call(ROUTES.getCorrection, { params: { id } }, options),
});

// The opened secrets of one endpoint, for a while: opening one for each delivery would cost more than signing it.

import { type Clock, formatInstant, parseInstant } from '../../../base/instant.ts';
import type { KeyKeeper } from '../../../ledger/keys/key-keeper.ts';
import type { WebhookEndpoint } from '../../webhook-endpoints/endpoint.ts';
import { openSigningSecrets } from '../../webhook-endpoints/secrets.ts';
import { type Signer, signerOf } from './sign.ts';

type Parts = { readonly keeper: KeyKeeper; readonly clock: Clock };

/** How long opened secrets are used. A rotation is noticed at once. */
const SIGNERS_MS = 60_000;

/** The secrets that are valid now, newest first. */
export const createSigners = (
  parts: Parts,
  { marketplaceId, endpoint }: { marketplaceId: string; endpoint: WebhookEndpoint },
) => {
  let opened: { readonly signers: Promise<readonly Signer[]>; readonly until: number } | null = null;
  const place = { marketplaceId, webhookEndpointId: endpoint.id };
  /** Until the overlap of a rotation ends, and not longer than a while. */
  const untilMicros = (now: number): number => {
    const ends = endpoint.previousExpiresAt === null ? null : parseInstant(endpoint.previousExpiresAt)!;
    const latest = now + SIGNERS_MS * 1_000;
    return ends !== null && ends > now ? Math.min(ends, latest) : latest;
  };
  const open = async (): Promise<readonly Signer[]> => {
    const secrets = await openSigningSecrets(parts.keeper, { endpoint, place, now: formatInstant(parts.clock()) });
    return secrets.map((secret) => signerOf(endpoint.signature, secret));
  };
  return (): Promise<readonly Signer[]> => {
    const now = parts.clock();
    if (opened === null || opened.until <= now) {
      const signers = open();
      opened = { signers, until: untilMicros(now) };
      signers.catch(() => {
        opened = null;
      });
    }
    return opened.signers;
  };
};

// Proves restored books: recomputes the balances from every posting and the audit chain from its first entry, compares both with the heads
// in the manifest, and opens every wallet with the restored keys. It only reads.

import type pg from 'pg';
import { proveBooks } from '../../books/proof.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { openSecret } from '../../ledger/keys/seal.ts';
import { createAuditReads } from '../../modules/audit/queries.ts';
import type { Finding } from '../script-command.ts';
import { proveArchives } from './archives.ts';
import type { Manifest } from './backup.ts';
import { compareHead } from './heads.ts';

const WALLETS = `select marketplace_id as "marketplaceId", id as "walletId", address, sealed_secret as sealed from wallets
  where sealed_secret is not null and (marketplace_id, id) > ($1, $2) order by 1, 2 limit 500`;

type Sealed = { marketplaceId: string; walletId: string; address: string; sealed: string };

const openWallets = async (pool: pg.Pool, keeper: KeyKeeper): Promise<Finding> => {
  let opened = 0;
  let closed = 0;
  for (let last = { marketplaceId: '', walletId: '' }; ; ) {
    const { rows } = await pool.query<Sealed>(WALLETS, [last.marketplaceId, last.walletId]);
    for (const { sealed, ...place } of rows) {
      const secret = await openSecret(keeper, { sealed, place }).catch(() => null);
      secret?.fill(0);
      if (secret === null) closed++;
      else opened++;
    }
    if (rows.length === 0) break;
    last = rows.at(-1)!;
  }
  const detail = closed === 0 ? `${opened} wallets` : `${closed} of ${opened + closed} wallets cannot be opened`;
  return { promise: 'every wallet opens with the restored WALLET_KEK', holds: closed === 0, detail };
};

export const proveRestored = async (
  pool: pg.Pool,
  of: { manifest: Manifest; keeper: KeyKeeper; archiveDir: string },
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const { checks } = await proveBooks(pool, null);
  // An open break is a difference to an outside system. It existed before the backup as well.
  for (const { name, holds, detail } of checks.filter((check) => check.name !== 'no-open-breaks')) {
    findings.push({ promise: `proof: ${name}`, holds, detail });
  }
  const audit = createAuditReads(pool);
  for (const marketplaceId of await audit.marketplaces()) {
    const { holds, entries, lastHash } = await audit.verifyChain(marketplaceId);
    const detail = `${marketplaceId}: ${entries} entries, the last ${lastHash.slice(0, 12)}`;
    findings.push({ promise: 'the audit chain holds from its first entry', holds, detail });
  }
  findings.push(...(await proveArchives(pool, { dir: of.archiveDir, marketplaceIds: await audit.marketplaces() })));
  const client = await pool.connect();
  try {
    for (const head of of.manifest.heads) {
      findings.push({
        promise: 'events, audit head and balances equal those of the backup',
        ...(await compareHead(client, head)),
      });
    }
  } finally {
    client.release();
  }
  findings.push(await openWallets(pool, of.keeper));
  return findings;
};

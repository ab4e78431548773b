// The proof that every cent is accounted for, and the audit trail with its hash chain.

import type { AuditEntry, VerifyAuditChainResult } from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, pageOptions } from '../define.ts';
import { EXIT } from '../failures.ts';
import { action, type PageOptions, pageQuery, showPage } from '../run.ts';
import { runEntry } from '../server-entry.ts';
import { clockOf } from '../times.ts';
import { counted } from '../view/counted.ts';
import { showArchives, showProof } from '../view/proof.ts';
import type { Column } from '../view/table.ts';

const ENTRIES: readonly Column<AuditEntry>[] = [
  { title: 'no.', align: 'right', of: ({ sequence }) => String(sequence) },
  { title: 'when', of: ({ occurredAt }) => clockOf(occurredAt) },
  { title: 'action', of: ({ action: name }) => name },
  { title: 'resource', of: ({ resourceId }) => resourceId, flexible: true },
  { title: 'by', of: ({ actorType, actorId }) => `${actorType} ${actorId}`, flexible: true, minor: true },
  { title: 'result', of: ({ result }) => result },
];

const sinceOf = ({ checkpoint }: VerifyAuditChainResult): string =>
  checkpoint ? ` after entry ${checkpoint.sequence}, the checkpoint of ${clockOf(checkpoint.madeAt)}` : '';

export const addAuditCommand = (program: Command): void => {
  const audit = define(program, {
    name: 'audit',
    what: 'the audit trail and its hash chain',
    examples: ['holdfast audit verify', 'holdfast audit logs --about ord_01J…'],
  });

  define(audit, {
    name: 'verify',
    what: 'recompute the hashes of the chain after the last checkpoint; exits with 1 when the chain is broken',
    examples: [
      'holdfast audit verify',
      'holdfast audit verify --full',
      'DATABASE_URL=postgres://… holdfast audit verify --offline',
    ],
  })
    .option('--full', 'from the first entry, and every file of the archived months; not only after the last checkpoint')
    .option(
      '--offline',
      'read the database and the archives directly, from the first entry, for all marketplaces, without a server',
    )
    .action(
      action<{ readonly full?: boolean; readonly offline?: boolean }>(async ({ client, out, options }) => {
        if (options.offline) return runEntry('programs/verify-audit.ts', { out });
        const chain = await client.audit.verify({ full: options.full });
        if (out.isJson) out.json(chain);
        else if (chain.holds) {
          out.line(
            `${out.paint.green('The chain is intact')}: ${counted(chain.entries, 'entry')}${sinceOf(chain)}, last hash ${chain.lastHash || 'none'}.`,
          );
        } else if (chain.brokenAt !== null) out.line(out.paint.red(`The chain is BROKEN at entry ${chain.brokenAt}.`));
        if (!out.isJson) showArchives(out, chain.archives);
        return chain.holds ? EXIT.fine : EXIT.refused;
      }),
    );

  pageOptions(
    define(audit, {
      name: 'logs',
      what: 'audit entries, newest first',
      examples: ['holdfast audit logs --about ord_01J…'],
    }),
  )
    .option('--about <id>', 'only entries about this resource')
    .option('--user <userId>', 'only entries that concern this user')
    .action(
      action<PageOptions & { readonly about?: string; readonly user?: string }>(async (run) => {
        const { about: resourceId, user: userId } = run.options;
        const list = run.client.audit.logs({ ...pageQuery(run.options), resourceId, userId });
        await showPage(run, { list, columns: ENTRIES, none: 'No matching entries.' });
      }),
    );
};

type ProofOptions = { readonly full?: boolean; readonly rebuild?: string };

const DEFAULT_MARKETPLACE = 'mkt_default';

export const addProofCommand = (program: Command): void => {
  define(program, {
    name: 'proof',
    what: 'recompute all balances from the last checkpoint; exits with 1 when a check fails',
    examples: ['holdfast proof', 'holdfast proof --full', 'holdfast proof --json | jq .holds'],
  })
    .option('--full', 'from every posting, and every file of the archived months; not only after the last checkpoint')
    .addOption(
      choice('--rebuild <part>', {
        what: 'discard what a proof has derived in the marketplace, so that the next one makes it again; works on the database',
        of: ['checkpoints', 'activity', 'fees', 'audit-notes'],
      }),
    )
    .action(
      action<ProofOptions>(async ({ client, out, options, settings }) => {
        if (options.rebuild) {
          const args = [options.rebuild, settings.marketplaceId ?? DEFAULT_MARKETPLACE];
          return runEntry('programs/rebuild-proof.ts', { out, args });
        }
        const proof = await client.audit.proof({ full: options.full });
        if (out.isJson) out.json(proof);
        else showProof(out, { proof, isSandbox: (await client.service.config()).sandbox });
        return proof.holds ? EXIT.fine : EXIT.refused;
      }),
    );
};

// API keys. The secret of a key is shown once, when it is created.

import type { AccessToken, CreatedApiKey, ListApiKeysQuery, ListedApiKey, RotatedApiKey } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, choice, define, gather, type KeyOption, keyOption, pageOptions } from '../define.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../run.ts';
import { dayOf } from '../times.ts';
import type { Column } from '../view/table.ts';

type Scopes = CreatedApiKey['scopes'];

const SCOPES: Scopes = ['read', 'write', 'support'];

const KEYS: readonly Column<ListedApiKey>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name, flexible: true },
  { title: 'scopes', of: ({ scopes }) => scopes.join(' ') },
  { title: 'marketplace', of: ({ marketplaceId }) => marketplaceId, flexible: true },
  { title: 'status', of: ({ status }) => status },
  { title: 'last used', of: ({ lastUsedAt }) => dayOf(lastUsedAt), minor: true },
  { title: 'expires', of: ({ expiresAt }) => dayOf(expiresAt), minor: true },
];

const showSecret = (
  { out }: Pick<Run<unknown>, 'out'>,
  { shown, facts }: { shown: CreatedApiKey | RotatedApiKey | AccessToken; facts: [string, string | null][] },
): void => {
  const secret = 'token' in shown ? ['token', shown.token] : ['key', shown.key];
  if (out.isJson) out.json(shown);
  else out.facts([secret as [string, string], ...facts]);
  const isShown = !out.onlyIds;
  out.note(
    isShown
      ? out.notePaint.dim('Save it now: it is shown only once.')
      : 'The secret is not shown with --ids, and cannot be shown later: `holdfast keys rotate` creates a new one.',
  );
};

type CreateOptions = KeyOption & { readonly scope?: Scopes; readonly expires?: string; readonly rateLimit?: number };

const addCreate = (keys: Command): void => {
  keyOption(
    define(keys, {
      name: 'create <name>',
      ids: true,
      what: 'create an API key; needs the master key, which a development server stores in its data folder',
      examples: ['holdfast keys create shop --scope read --scope write'],
    }),
  )
    .option(
      '--scope <scope>',
      'read, write, treasury, payout, support or *; may be repeated; without it the key gets read, write and support',
      gather,
    )
    .option('--expires <time>', 'expiry time, such as 2027-01-01T00:00:00Z')
    .option('--rate-limit <count>', 'requests per window', atLeastOne)
    .action(
      action<CreateOptions & { readonly marketplace?: string }>(async (run, [name]) => {
        const { scope, expires, rateLimit, marketplace, idempotencyKey } = run.options;
        const input = {
          name: name!,
          scopes: scope ?? SCOPES,
          marketplaceId: marketplace ?? run.settings.marketplaceId ?? undefined,
          expiresAt: expires,
          rateLimit,
        };
        const created = await (await run.asMaster()).keys.create(input, { idempotencyKey });
        showSecret(run, {
          shown: created,
          facts: [
            ['id', created.id],
            ['scopes', created.scopes.join(' ')],
            ['marketplace', created.marketplaceId],
            ['expires', dayOf(created.expiresAt) ?? 'never'],
          ],
        });
      }),
    );
};

const addList = (keys: Command): void => {
  pageOptions(define(keys, { name: 'list', ids: true, what: 'keys, newest first', examples: ['holdfast keys list'] }))
    .addOption(choice('--status <status>', { what: 'only with this status', of: ['ACTIVE', 'EXPIRED', 'REVOKED'] }))
    .action(
      action<PageOptions & Pick<ListApiKeysQuery, 'status'>>(async (run) => {
        const list = (await run.asMaster()).keys.list({ ...pageQuery(run.options), status: run.options.status });
        await showPage(run, { list, columns: KEYS, none: 'No keys.' });
      }),
    );
};

const addRevoke = (keys: Command): void => {
  define(keys, {
    name: 'revoke <keyId>',
    ids: true,
    what: 'revoke a key',
    examples: ['holdfast keys revoke key_01J…'],
  }).action(
    action(async ({ out, asMaster }, [id]) => {
      const revoked = await (await asMaster()).keys.revoke(id!);
      if (out.isJson) return out.json(revoked);
      out.line(`${revoked.id} (${revoked.name}) is ${revoked.status} since ${dayOf(revoked.revokedAt)}.`);
    }),
  );
};

const addRotate = (keys: Command): void => {
  keyOption(
    define(keys, {
      name: 'rotate <keyId>',
      what: 'give a key a new secret; the previous one works for a while longer',
      examples: ['holdfast keys rotate key_01J…'],
    }),
  ).action(
    action<KeyOption>(async (run, [id]) => {
      const { idempotencyKey } = run.options;
      const rotated = await (await run.asMaster()).keys.rotate(id!, { idempotencyKey });
      const facts: [string, string | null][] = [['previous key works until', dayOf(rotated.previousKeyExpiresAt)]];
      showSecret(run, { shown: rotated, facts });
    }),
  );
};

const addToken = (keys: Command): void => {
  define(keys, {
    name: 'token <keyId>',
    what: 'create a token that is valid for an hour, with the scopes of the key or fewer',
    examples: ['holdfast keys token key_01J… --scope read'],
  })
    .option('--scope <scope>', 'fewer scopes; may be repeated', gather)
    .action(
      action<{ readonly scope?: Scopes }>(async (run, [id]) => {
        const token = await (await run.asMaster()).keys.token(id!, { scopes: run.options.scope });
        showSecret(run, { shown: token, facts: [['expires', dayOf(token.expiresAt)]] });
      }),
    );
};

export const addKeyCommands = (program: Command): void => {
  const keys = define(program, {
    name: 'keys',
    what: 'API keys and their tokens',
    examples: ['holdfast keys create shop', 'holdfast keys list'],
  });
  addCreate(keys);
  addList(keys);
  addRevoke(keys);
  addRotate(keys);
  addToken(keys);
};

// An import into a marketplace of its own, with the tool and a folder for its files, and everything that the marketplace has afterwards.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { type Ended, openTool } from '../cli/tool.ts';
import type { TestApp } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
export type Any = any;

let opened = 0;

/** The rows of the tables that an import writes to. */
const TABLES = ['users', 'orders', 'milestones', 'reservations', 'postings', 'accounts', 'events', 'audit_entries'];

export const CSV = {
  'users.csv': `externalUserId,email,type,status,name
ada,ada@shop.example,BUYER,ACTIVE,"Lovelace, Ada"
grace,grace@shop.example,SELLER,,
"o'neil, ""the"" third",,BOTH,SUSPENDED,
`,
  'balances.csv': `externalUserId,currency,available,reserved
ada,USD,100.5,60.00
ada,XLM,7.2500000,0
grace,USD,0.01,
`,
  'orders.csv': `orderId,clientOrderRef,buyer,seller,amount,currency,status,platformFee,milestones,title
old-1,cart-1,ada,grace,40.00,USD,FUNDS_RESERVED,7.5,a:15.00:Draft|b:25.00:Final,Logo
old-2,,ada,grace,10.00,USD,ORDER_CREATED,,,
old-3,,ada,grace,5.00,USD,ESCROW_FUNDING,,,
old-4,,ada,grace,500.00,USD,IN_PROGRESS,,,
old-5,,ada,grace,1.00,USD,CLOSED,,,
`,
};

export const FILES = ['--users', 'users.csv', '--balances', 'balances.csv', '--orders', 'orders.csv'];

type Settings = { readonly ownProcesses?: boolean; readonly url?: string };

export const openImport = async (t: TestContext, app: TestApp, settings: Settings = {}) => {
  const key = await app.key(['*'], `mkt_import${++opened}`);
  // A shared server gives the marketplace another name.
  const { marketplaceId } = (await app.call('GET /auth/me', { key })).body.data;
  const tool = await openTool(t, { url: settings.url ?? app.url, key, ownProcesses: settings.ownProcesses === true });
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(tool.folder, name), text);
  };
  const run = (args: readonly string[]): Promise<Ended> => tool.run(['import', ...args, '--json']);
  const done = async (request: string, body?: unknown): Promise<Any> => {
    const answer = await app.call(request, { key, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data.data ?? answer.body.data;
  };
  const userOf = async (externalUserId: string): Promise<Any> =>
    (await done(`GET /users?externalUserId=${encodeURIComponent(externalUserId)}`))[0];
  return {
    app,
    tool,
    key,
    marketplaceId,
    run,
    write,
    done,
    userOf,
    /** The plan, and then the same command with it. */
    async apply(args: readonly string[]): Promise<Ended> {
      const planned = await run(args);
      assert.equal(planned.code, 0, planned.err + planned.out);
      return run([...args, '--apply', planned.json.plan]);
    },
    async balanceOf(externalUserId: string, currency = 'USD'): Promise<[string, string]> {
      const { id } = await userOf(externalUserId);
      const { available, reserved } = await done(`GET /users/${id}/balance?currency=${currency}`);
      return [available, reserved];
    },
    /** How many rows each table has. */
    async rows(): Promise<Record<string, string>> {
      const counts = TABLES.map((table) => `(select count(*) from ${table} where marketplace_id = $1) as ${table}`);
      return (await app.sql(`select ${counts.join(', ')}`, [marketplaceId]))[0];
    },
    /** What was imported, without ids and times. */
    async result(): Promise<unknown> {
      const users = await app.sql(
        `select external_user_id as name, email, status from users where marketplace_id = $1 order by 1`,
        [marketplaceId],
      );
      const orders = await app.sql(
        `select client_order_ref as ref, status, amount::text, metadata, platform_fee_bps::text as fee
         from orders where marketplace_id = $1 order by 1`,
        [marketplaceId],
      );
      const postings = await app.sql(
        `select u.external_user_id as name, split_part(p.account_id, ':', 2) as part, p.move, p.amount::text as amount,
           split_part(p.account_id, ':', 3) as currency
         from postings p join users u on u.marketplace_id = p.marketplace_id and p.account_id like u.id || ':%'
         where p.marketplace_id = $1 order by 1, 2, 3, 4, 5`,
        [marketplaceId],
      );
      return { users, orders, postings };
    },
    async assertProof(): Promise<void> {
      const proof = await done('GET /audit/proof?full=true');
      assert.equal(proof.holds, true, JSON.stringify(proof.checks));
    },
  };
};

export type Import = Awaited<ReturnType<typeof openImport>>;

export const countsOf = ({ json }: Ended): Record<string, number[]> =>
  Object.fromEntries(
    json.counts.map(({ what, read, created, there, skipped, refused }: Any) => [
      what,
      [read, created, there, skipped, refused],
    ]),
  );

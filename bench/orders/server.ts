// How the measurements of orders set up their server: the addresses of the simulators, one request, and a treasury that has money.

import pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Simulators } from './simulators.ts';

type Ask = { readonly key: string; readonly request: string; readonly body?: object };

export const call = async (server: ServerProcess, { key, request, body }: Ask) => {
  const [method, route] = request.split(' ') as [string, string];
  const response = await fetch(`${server.url}/api/v1${route}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request}: ${response.status} ${text}`);
  const { data } = JSON.parse(text);
  return data?.success === true ? data.data : data;
};

export const settingsFor = ({ url, issuer, passphrase, factories }: Simulators): Record<string, string> => ({
  ESCROW_PROVIDER_URL: `${url}/escrow-provider`,
  ESCROW_PROVIDER_API_KEY: 'sandbox-escrow-key',
  ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
  LEDGER_RATE_PER_MINUTE: '0',
  LEDGER_URL: `${url}/ledger`,
  LEDGER_NETWORK_PASSPHRASE: passphrase,
  LEDGER_ASSET_ISSUER: issuer,
  ESCROW_FACTORY_SINGLE: factories['single-release']!,
  ESCROW_FACTORY_MULTI: factories['multi-release']!,
});

/** Where money is not play money of the server's own, the treasury has to be filled by hand. */
export async function fillTreasury(
  connection: Connection,
  { simulators, first }: { simulators: Simulators; first: () => Promise<void> },
): Promise<void> {
  // Whatever comes of it, the treasury lives afterwards.
  await first().catch(() => {});
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ address: string }>("select address from wallets where owner = 'treasury'");
  await client.end();
  const body = JSON.stringify({ address: rows[0]!.address, asset: 'USDC', amount: '100000000' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${simulators.url}/control/faucet`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  await first();
}

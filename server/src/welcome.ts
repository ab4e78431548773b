// What a person sees when the server is ready: where to go, and the key to use. To standard error, so that standard
// output stays a clean stream of log lines.

import type { Config } from './config.ts';

type Ready = {
  readonly address: string;
  readonly config: Config;
  readonly sandboxUrl: string | null;
  /** Only when it was made just now: it is shown this once. */
  readonly masterKey: string | null;
};

export const showWelcome = ({ address, config, sandboxUrl, masterKey }: Ready): void => {
  const key = masterKey ?? '<your master key>';
  const lines = [
    '',
    'Holdfast is ready.',
    `  API        ${address}/api/v1`,
    `  Console    ${address}/console`,
    `  Reference  ${address}/docs`,
    `  Health     ${address}/api/v1/health/detailed`,
    `  Metrics    ${address}/metrics`,
    `  Database   ${config.database.url === null ? `embedded PostgreSQL in ${config.data.dir}` : 'the one of DATABASE_URL'}`,
    ...(sandboxUrl === null
      ? []
      : [`  Sandbox    ${sandboxUrl}/control/state (twins of the outside systems; no real money)`]),
    '',
    masterKey === null
      ? `The master key is the one you set, or the one in ${config.data.dir}/secrets.json.`
      : `Master key, shown this once and kept in ${config.data.dir}/secrets.json:\n  ${masterKey}`,
    '',
    'Make an API key with it:',
    `  curl -s ${address}/api/v1/auth/api-keys -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"first","scopes":["read","write","support"]}'`,
    '',
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
};

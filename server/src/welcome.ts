// The text that is printed when the server is ready: three lines with the next steps, then the addresses and the keys. It goes to
// standard error, so that standard output contains only log lines.

import { extname, join, resolve } from 'node:path';
import type { Config } from './config/config.ts';

type Ready = {
  readonly address: string;
  readonly config: Config;
  readonly sandboxUrl: string | null;
  /** The file of the development key; null when this server has none. */
  readonly developmentKey: string | null;
  /** Only when it was generated at this start: it is shown once. */
  readonly masterKey: string | null;
  /** The link of the first administrator; null when the service has an operator. */
  readonly firstAdminUrl?: string | null;
};

/** The folder that the command-line tool uses without DATA_DIR: of the checkout, or of where an installed package runs. */
const USUAL_FOLDER =
  extname(import.meta.filename) === '.ts' ? resolve(import.meta.dirname, '../../.data') : resolve('.data');

const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The command line of the tool for another terminal, where it must find the same data folder. */
const toolFor = (dataDir: string): string => {
  const folder = resolve(dataDir);
  return folder === USUAL_FOLDER ? 'npx holdfast' : `DATA_DIR=${quoted(folder)} npx holdfast`;
};

/** What to do next: exactly three lines. */
export const nextSteps = ({ address, config, developmentKey }: Ready): readonly [string, string, string] => {
  const read = `3. Read the documentation: ${address}/docs`;
  if (developmentKey === null) {
    return [
      `1. Keep the master key for the command line: npx holdfast login --url ${address}`,
      '2. Make an API key with it: npx holdfast keys create shop',
      read,
    ];
  }
  return [
    `1. Open ${address}/console and sign in with the key in ${developmentKey}`,
    `2. In another terminal, pay an order: ${toolFor(config.data.dir)} orders run --amount 20.00 --release`,
    read,
  ];
};

/** The last row is the master key: the command-line tool passes on only what comes after it. Null: there is none. */
const rowsOf = (ready: Ready): [string, string | null][] => {
  const { address, config, sandboxUrl, developmentKey, masterKey, firstAdminUrl = null } = ready;
  const secrets = join(config.data.dir, 'secrets.json');
  const simulators = '(simulators of the outside systems; no real money)';
  const rights =
    '(every scope in one marketplace, not the rights of the master key; on this machine only; npx holdfast uses it)';
  return [
    ['API', `${address}/api/v1`],
    ['Console', `${address}/console`],
    ['Documentation', `${address}/docs`],
    ['Reference', `${address}/docs/reference/`],
    ['Health', `${address}/api/v1/health/detailed`],
    ['Metrics', `${address}/metrics`],
    [
      'Database',
      config.database.url === null ? `embedded PostgreSQL in ${config.data.dir}` : 'the one of DATABASE_URL',
    ],
    ['Sandbox', sandboxUrl && `${sandboxUrl}/control/state ${simulators}`],
    ['Development key', developmentKey && `${developmentKey} ${rights}`],
    [
      'First administrator',
      firstAdminUrl && `${firstAdminUrl} (opens once, within a day, and makes the first operator)`,
    ],
    [
      'Master key',
      masterKey === null
        ? `the one you set, or the one in ${secrets}`
        : `${masterKey} (shown this once, kept in ${secrets})`,
    ],
  ];
};

export const welcomeLines = (ready: Ready): string[] => {
  const rows = rowsOf(ready).filter(([, value]) => value !== null);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...nextSteps(ready),
    '',
    'Holdfast is ready.',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
  ];
};

export const showWelcome = (ready: Ready): void => {
  process.stderr.write(`${welcomeLines(ready).join('\n')}\n`);
};

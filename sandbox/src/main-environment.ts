// The settings of a sandbox that runs alone. Reports all problems at once.

import path from 'node:path';
import type { SandboxOptions, WebhookTarget } from './sandbox-config.ts';

type Environment = Record<string, string | undefined>;

export function readEnvironment(environment: Environment): SandboxOptions {
  const problems: string[] = [];
  const read = (name: string) => environment[name] || undefined;

  const port = Number(read('SANDBOX_PORT') ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('SANDBOX_PORT must be 0 to 65535.');

  const url = read('SANDBOX_WEBHOOK_URL');
  const secret = read('SANDBOX_WEBHOOK_SECRET');
  const spelling = read('SANDBOX_WEBHOOK_SPELLING') ?? 'native';
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    problems.push('SANDBOX_WEBHOOK_URL must be an http or https URL.');
  }
  if ((url === undefined) !== (secret === undefined)) {
    problems.push('SANDBOX_WEBHOOK_URL and SANDBOX_WEBHOOK_SECRET belong together: set both or neither.');
  }
  if (secret !== undefined && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    problems.push('SANDBOX_WEBHOOK_SECRET must be "whsec_" and base64.');
  }
  if (spelling !== 'native' && spelling !== 'neutral') {
    problems.push('SANDBOX_WEBHOOK_SPELLING must be native or neutral.');
  }
  const rateLimit = read('SANDBOX_RATE_LIMIT') ?? 'off';
  if (rateLimit !== 'on' && rateLimit !== 'off') problems.push('SANDBOX_RATE_LIMIT must be on or off.');
  if (problems.length > 0) throw new Error(`The sandbox cannot start:\n- ${problems.join('\n- ')}`);

  const limited = { rateLimit: rateLimit === 'on' };
  const webhook = url === undefined ? null : ({ url, secret, spelling } as WebhookTarget);
  return {
    port,
    host: read('SANDBOX_HOST') ?? '127.0.0.1',
    stateFile: path.join(read('DATA_DIR') ?? '.data', 'sandbox.json'),
    payment: { ...limited, webhook },
    escrow: limited,
  };
}

// Requests of the attackers, each to one running server and without repeats, with their place in the journal of attempts. A
// refusal has to be in the envelope of the API, and an unplanned failure of a server is a violation, also when an attacker caused it.

import { judgeAttempt } from '../answers.ts';
import type { Outcome } from '../journal.ts';
import type { Attack, AttackerName } from './cast.ts';

type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly key: string | null;
  readonly body?: object;
};

type Received = { readonly status: number; readonly text: string };

export const outcomeOf = (status: number): Outcome => (status < 300 ? 'acknowledged' : 'refused');

/** Null when no server answered: all of them may be down. */
export const attempt = async (
  { environment, random }: Attack,
  of: Request & { readonly attacker: AttackerName; readonly what: string },
): Promise<Received | null> => {
  const urls = environment.serverUrls();
  const { journal } = environment;
  const { attacker, what } = of;
  if (urls.length === 0) return null;
  const headers = {
    ...(of.key === null ? {} : { authorization: `Bearer ${of.key}` }),
    ...(of.body ? { 'content-type': 'application/json' } : {}),
  };
  const init = { method: of.method, headers, ...(of.body ? { body: JSON.stringify(of.body) } : {}) };
  try {
    const answer = await fetch(`${random.pick(urls)}/api/v1${of.path}`, init);
    const text = await answer.text();
    const { status } = answer;
    journal.attempt({ attacker, what, outcome: outcomeOf(status), told: String(status) });
    const finding = status < 400 ? null : judgeAttempt(status, text);
    if (finding) journal.violate(`${attacker}: ${what}: ${finding}`);
    return { status, text };
  } catch {
    journal.attempt({ attacker, what, outcome: 'unknown', told: 'no answer' });
    return null;
  }
};

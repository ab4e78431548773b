// Begins a session for an operator who has proved who it is, and shows it. Each session has a new token, which leaves the server only in the
// cookie.

import { formatInstant } from '../../base/instant.ts';
import { newId } from '../../base/ulid.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Wire } from '../../http/route.ts';
import { csrfTokenOf, sessionCookie } from '../../http/session-cookie.ts';
import { presentOperator, type ShownOperator } from '../operators/present.ts';
import { digestSecret, type NewSession, type OperatorSession } from '../operators/session.ts';
import { type Proof, signIn } from './change-session.ts';
import { formatSession, freshSecret } from './session-text.ts';

type Parts = {
  readonly submit: Submit;
  nowMs(): number;
  readonly sessionMs: number;
  readonly idleMs: number;
  /** The origin of the console, where it is set. */
  readonly publicOrigin: string | null;
};

/** The row of a session that is about to begin, and its token. */
export type Prepared = { readonly session: NewSession; readonly token: string };

export type OperatorPlace = { readonly marketplaceId: string; readonly operatorId: string };

type Shown = ShownOperator & {
  readonly session: Pick<OperatorSession, 'id' | 'method' | 'expiresAt'>;
  readonly marketplaceId: string;
};

/** What a handler answers: data for the envelope, and cookies. */
export type ConsoleAnswer = { readonly data: unknown; readonly cookies: readonly string[] };

const USER_AGENT_MAX = 300;

export const contextFor = ({ marketplaceId, operatorId }: OperatorPlace, requestId: string): Context => ({
  marketplaceId,
  actor: { type: 'operator', id: operatorId },
  requestId,
});

export type BeginSessions = ReturnType<typeof createBeginSessions>;

export const createBeginSessions = ({ submit, nowMs, sessionMs, idleMs, publicOrigin }: Parts) => {
  const originOf = ({ origin }: Pick<Wire, 'origin'>): string => publicOrigin ?? origin;

  const isSecure = ({ origin }: Pick<Wire, 'origin'>): boolean =>
    origin.startsWith('https:') || publicOrigin?.startsWith('https:') === true;

  const idleMinutes = Math.floor(idleMs / 60_000);

  const present = ({ session, marketplaceId, ...operator }: Shown, token: string) => ({
    operator: presentOperator(operator, marketplaceId),
    sessionId: session.id,
    method: session.method,
    csrfToken: csrfTokenOf(token),
    expiresAt: session.expiresAt,
    idleMinutes,
  });

  const cookieFor = (token: string, wire: Wire): string =>
    sessionCookie({ value: token, isSecure: isSecure(wire), maxAgeS: Math.floor(sessionMs / 1_000) });

  const prepare = (
    { marketplaceId }: Pick<OperatorPlace, 'marketplaceId'>,
    { wire, method }: { wire: Wire; method: OperatorSession['method'] },
  ): Prepared => {
    const now = nowMs();
    const id = newId('operatorSession', now);
    const secret = freshSecret();
    const session = {
      id,
      secretHash: digestSecret(secret),
      method,
      address: wire.address.replace(/^ip:/, ''),
      userAgent: (wire.request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
      expiresAt: formatInstant((now + sessionMs) * 1_000),
    };
    return { session, token: formatSession({ marketplaceId, sessionId: id, secret }) };
  };

  return {
    idleMinutes,
    originOf,
    isSecure,
    present,
    prepare,
    cookieFor,

    /** Refuses with SIGN_IN_FAILED when what was proved is no longer so. */
    async begin(of: OperatorPlace & { readonly proof: Proof; readonly wire: Wire; readonly requestId: string }) {
      const { marketplaceId, operatorId, proof, wire, requestId } = of;
      const { session, token } = prepare(of, { wire, method: proof.method });
      const input = { operatorId, session, proof };
      const signedIn = await runCommand(submit, { command: signIn, input, context: contextFor(of, requestId) });
      const data = present({ ...signedIn, marketplaceId }, token);
      return { data, cookies: [cookieFor(token, wire)] } satisfies ConsoleAnswer;
    },
  };
};

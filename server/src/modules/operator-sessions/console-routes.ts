// Routes beside the page of the console: sign in and out, accept an invitation, the own passkeys. They write their own answers, because they
// set cookies. A change without a session must come from a page of this server too, so that no other page signs a browser in.

import * as api from '@holdfast/contract/console-routes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { Caller } from '../../http/caller.ts';
import { wrap } from '../../http/envelope.ts';
import { JSON_TYPE } from '../../http/error-reply.ts';
import { type Route, raw, type Wire } from '../../http/route.ts';
import { attemptCookie, sessionCookie } from '../../http/session-cookie.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { type BeginSessions, type ConsoleAnswer, contextFor, type OperatorPlace } from './begin-sessions.ts';
import { endSession } from './change-session.ts';
import type { Invitations } from './invitations.ts';
import type { PasskeySignIn } from './passkey-sign-in.ts';
import type { createPasswordSignIn } from './password-sign-in.ts';
import type { SessionReads } from './queries.ts';
import { parseSession } from './session-text.ts';
import { SIGN_ON_PATH, type SingleSignOn } from './single-sign-on.ts';

type ConsoleParts = {
  readonly operators: Pick<OperatorReads, 'find' | 'hasAny'>;
  readonly reads: Pick<SessionReads, 'findChecked'>;
  readonly submit: Submit;
  readonly sessions: BeginSessions;
  readonly signInWithPassword: ReturnType<typeof createPasswordSignIn>;
  readonly passkeys: PasskeySignIn;
  readonly invitations: Invitations;
  readonly singleSignOn: SingleSignOn | null;
  readonly needsSecondFactor: boolean;
  readonly publicOrigin: string | null;
  /** Whether the console offers the sign-in with a key; null: while there is no operator. */
  readonly keySignIn: boolean | null;
};

type Answered = { readonly wire: Wire; readonly requestId: string };

const sendAnswer = ({ data, cookies }: ConsoleAnswer, { wire, requestId }: Answered): void => {
  const body = JSON.stringify(wrap(data, { wrapping: 'plain', requestId }));
  const headers = cookies.length > 0 ? { 'set-cookie': [...cookies] } : {};
  wire.open(200, { ...headers, 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) }).end(body);
};

const redirect = ({ location, cookies }: { location: string; cookies: readonly string[] }, wire: Wire): void => {
  wire.open(303, { location, 'set-cookie': [...cookies], 'content-length': 0 }).end();
};

/** The operator of the session. Its marketplace is not the one that X-Marketplace-Id names. */
const ownPlace = (caller: Caller, { sessionToken }: Wire): OperatorPlace & { readonly sessionId: string } => {
  const session = sessionToken === null ? null : parseSession(sessionToken);
  if (caller.type !== 'operator' || session === null) {
    throw new DomainError('UNAUTHORIZED', { message: 'This route needs the session of an operator. Sign in first.' });
  }
  return { marketplaceId: session.marketplaceId, operatorId: caller.keyId, sessionId: session.sessionId };
};

export const consoleRoutes = (parts: ConsoleParts): Route[] => {
  const requireSameOrigin = (wire: Wire): void => {
    if (!wire.isSameOrigin(parts.publicOrigin)) throw new DomainError('CSRF');
  };
  return [
    ...sessionRoutes(parts, requireSameOrigin),
    ...inviteRoutes(parts, requireSameOrigin),
    ...passkeyRoutes(parts, requireSameOrigin),
    ...singleSignOnRoutes(parts),
  ];
};

type Requires = (wire: Wire) => void;

const sessionRoutes = (parts: ConsoleParts, requireSameOrigin: Requires): Route[] => {
  const { operators, reads, sessions, submit, singleSignOn, needsSecondFactor } = parts;
  return [
    raw(api.getSignInOptions, async ({ requestId }, wire) => {
      const hasOperators = await operators.hasAny();
      const data = {
        keys: parts.keySignIn ?? !hasOperators,
        operators: hasOperators,
        secondFactor: needsSecondFactor ? 'required' : 'optional',
        idleMinutes: sessions.idleMinutes,
        singleSignOn: singleSignOn && { name: singleSignOn.name, url: SIGN_ON_PATH },
      };
      sendAnswer({ data, cookies: [] }, { wire, requestId });
    }),
    raw(api.signIn, async ({ body, requestId }, wire) => {
      requireSameOrigin(wire);
      sendAnswer(await parts.signInWithPassword(body, { wire, requestId }), { wire, requestId });
    }),
    raw(api.getConsoleSession, async ({ caller, requestId }, wire) => {
      const { marketplaceId, operatorId, sessionId } = ownPlace(caller, wire);
      const found = await operators.find(marketplaceId, operatorId);
      const session = await reads.findChecked(marketplaceId, sessionId);
      if (!found || !session) throw new DomainError('UNAUTHORIZED');
      const { passkeys, ...operator } = found;
      const data = sessions.present({ operator, passkeys, session, marketplaceId }, wire.sessionToken!);
      sendAnswer({ data, cookies: [] }, { wire, requestId });
    }),
    raw(api.signOut, async ({ caller, requestId }, wire) => {
      const place = ownPlace(caller, wire);
      const input = {
        operatorId: place.operatorId,
        sessionId: place.sessionId,
        isOwn: true,
        isEverywhereAllowed: true,
      };
      await runCommand(submit, { command: endSession, input, context: contextFor(place, requestId) });
      const gone = { value: '', isSecure: sessions.isSecure(wire), maxAgeS: 0 };
      const cookies = [sessionCookie(gone), attemptCookie(gone)];
      sendAnswer({ data: { signedOut: true }, cookies }, { wire, requestId });
    }),
  ];
};

/** Without the header it is no invitation, as with a wrong one. */
const invitationOf = ({ request }: Wire): string => {
  const header = request.headers[api.INVITATION_HEADER];
  return typeof header === 'string' ? header : '';
};

const inviteRoutes = ({ invitations }: ConsoleParts, requireSameOrigin: Requires): Route[] => [
  raw(api.getInvite, async ({ requestId }, wire) => {
    sendAnswer({ data: await invitations.facts(invitationOf(wire)), cookies: [] }, { wire, requestId });
  }),
  raw(api.beginTotp, async ({ requestId }, wire) => {
    requireSameOrigin(wire);
    sendAnswer(await invitations.beginTotp({ token: invitationOf(wire), wire }), { wire, requestId });
  }),
  raw(api.beginInvitePasskey, async ({ body, requestId }, wire) => {
    requireSameOrigin(wire);
    sendAnswer(await invitations.beginPasskey({ token: invitationOf(wire), wire }, body ?? {}), { wire, requestId });
  }),
  raw(api.acceptInvite, async ({ body, requestId }, wire) => {
    requireSameOrigin(wire);
    sendAnswer(await invitations.accept({ token: invitationOf(wire), wire, requestId }, body), { wire, requestId });
  }),
];

const passkeyRoutes = ({ passkeys, needsSecondFactor }: ConsoleParts, requireSameOrigin: Requires): Route[] => [
  raw(api.beginPasskeySignIn, async ({ requestId }, wire) => {
    requireSameOrigin(wire);
    sendAnswer(await passkeys.begin(wire), { wire, requestId });
  }),
  raw(api.signInWithPasskey, async ({ body, requestId }, wire) => {
    requireSameOrigin(wire);
    sendAnswer(await passkeys.signIn(body.passkey, { wire, requestId }), { wire, requestId });
  }),
  raw(api.listPasskeys, async ({ caller, requestId }, wire) => {
    sendAnswer({ data: await passkeys.list(ownPlace(caller, wire)), cookies: [] }, { wire, requestId });
  }),
  raw(api.beginPasskey, async ({ caller, requestId }, wire) => {
    sendAnswer(await passkeys.beginAdding(ownPlace(caller, wire), wire), { wire, requestId });
  }),
  raw(api.addPasskey, async ({ caller, body, requestId }, wire) => {
    const asking = { wire, requestId, response: body.passkey, name: body.name };
    sendAnswer({ data: await passkeys.add(ownPlace(caller, wire), asking), cookies: [] }, { wire, requestId });
  }),
  raw(api.removePasskey, async ({ caller, params: { id }, requestId }, wire) => {
    const of = { passkeyId: id, needsSecondFactor, requestId };
    sendAnswer({ data: await passkeys.remove(ownPlace(caller, wire), of), cookies: [] }, { wire, requestId });
  }),
];

const singleSignOnRoutes = ({ singleSignOn }: ConsoleParts): Route[] => {
  if (singleSignOn === null) return [];
  return [
    raw(api.beginSingleSignOn, async ({ requestId }, wire) =>
      redirect(await singleSignOn.begin(wire, requestId), wire),
    ),
    raw(api.finishSingleSignOn, async ({ requestId }, wire) =>
      redirect(await singleSignOn.finish(wire, requestId), wire),
    ),
  ];
};

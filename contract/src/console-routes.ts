// The routes beside the console's page, at the root of the server: sign in, sign out, accept an invitation. The console alone uses them. They
// answer JSON in the envelope of the API and set cookies, so each handler writes its own answer.

import Type from 'typebox';
import { endpoint } from './api/endpoint.ts';
import { Name, Nullable, Strict, Timestamp } from './api/fields.ts';
import { Email, Operator, SESSION_METHODS } from './api/operators.ts';
import { LIMITS } from './limits.ts';

const ConsoleSession = Type.Object({
  operator: Operator,
  sessionId: Type.String(),
  method: Type.Enum(SESSION_METHODS),
  csrfToken: Type.String({ description: 'Send it as the header X-CSRF-Token with every change.' }),
  expiresAt: Timestamp('When the session ends at the latest.'),
  idleMinutes: Type.Integer({ description: 'The session ends when it is not used for so long.' }),
});

const SignInOptions = Type.Object({
  keys: Type.Boolean({ description: 'Whether the console offers the sign-in with an API key.' }),
  operators: Type.Boolean({ description: 'Whether the server has an operator.' }),
  secondFactor: Type.Enum(['required', 'optional']),
  idleMinutes: Type.Integer({ description: 'The console signs out when it is not used for so long.' }),
  singleSignOn: Nullable(Type.Object({ name: Type.String(), url: Type.String() })),
});

const InviteFacts = Type.Object({
  kind: Type.Enum(['invitation', 'first-admin']),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  role: Type.String(),
  marketplaceId: Type.String(),
  expiresAt: Timestamp('When the invitation expires.'),
  secondFactor: Type.Enum(['required', 'optional']),
});

const Joined = Type.Object({
  session: ConsoleSession,
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Each replaces a code of the app once. They are shown only here.',
  }),
});

const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp('When it was registered.'),
  lastUsedAt: Nullable(Timestamp('When it was last used.')),
});

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 1_000, description });
const Code = Type.String({ minLength: 6, maxLength: 40, description: 'Six digits of the app, or a recovery code.' });
/** What the browser's API for passkeys returns, as JSON. The library checks it. */
const Credential = Type.Object(
  { id: Type.String({ maxLength: 1_500 }), type: Type.Literal('public-key') },
  { additionalProperties: true },
);
const BrowserOptions = Type.Object({}, { additionalProperties: true });

const common = { tag: 'Console', wrapping: 'raw', status: 200, errors: [] } as const;

/** The header that carries the text of an invitation: unlike a path, it is in no log of a proxy. */
export const INVITATION_HEADER = 'x-invitation';

export const getSignInOptions = endpoint({
  ...common,
  method: 'GET',
  path: '/console/sign-in',
  access: 'public',
  summary: 'The ways to sign in',
  data: SignInOptions,
});

export const signIn = endpoint({
  ...common,
  method: 'POST',
  path: '/console/session',
  access: 'public',
  summary: 'Sign in with a password',
  body: Strict({ email: Email, password: Secret('The password.'), code: Type.Optional(Code) }),
  data: ConsoleSession,
});

export const getConsoleSession = endpoint({
  ...common,
  method: 'GET',
  path: '/console/session',
  access: 'any',
  summary: 'The session of this browser',
  data: ConsoleSession,
});

export const signOut = endpoint({
  ...common,
  method: 'DELETE',
  path: '/console/session',
  access: 'any',
  summary: 'Sign out',
  data: Type.Object({ signedOut: Type.Boolean() }),
});

export const getInvite = endpoint({
  ...common,
  method: 'GET',
  path: '/console/invite',
  access: 'public',
  summary: 'What an invitation offers',
  data: InviteFacts,
});

export const beginTotp = endpoint({
  ...common,
  method: 'POST',
  path: '/console/invite/totp',
  access: 'public',
  summary: 'Begin to register an app that shows codes',
  data: Type.Object({ secret: Type.String(), uri: Type.String() }),
});

export const beginInvitePasskey = endpoint({
  ...common,
  method: 'POST',
  path: '/console/invite/passkey',
  access: 'public',
  summary: 'Begin to register a passkey with an invitation',
  body: Strict({ email: Type.Optional(Email) }),
  bodyOptional: true,
  data: BrowserOptions,
});

export const acceptInvite = endpoint({
  ...common,
  method: 'POST',
  path: '/console/invite',
  access: 'public',
  summary: 'Accept an invitation',
  body: Strict({
    email: Type.Optional(Email),
    name: Type.Optional(Name('Name of the first administrator.', 'Ada Lovelace')),
    password: Type.Optional(
      Type.String({ maxLength: 1_000, description: `At least ${LIMITS.operatorPasswordLengthLeast} characters.` }),
    ),
    code: Type.Optional(Code),
    passkey: Type.Optional(Credential),
    passkeyName: Type.Optional(Name('A name for the passkey.', 'Security key')),
  }),
  data: Joined,
});

export const beginPasskeySignIn = endpoint({
  ...common,
  method: 'POST',
  path: '/console/sign-in/passkey',
  access: 'public',
  summary: 'Begin to sign in with a passkey',
  data: BrowserOptions,
});

export const signInWithPasskey = endpoint({
  ...common,
  method: 'POST',
  path: '/console/session/passkey',
  access: 'public',
  summary: 'Sign in with a passkey',
  body: Strict({ passkey: Credential }),
  data: ConsoleSession,
});

export const listPasskeys = endpoint({
  ...common,
  method: 'GET',
  path: '/console/passkeys',
  access: 'any',
  summary: 'The own passkeys',
  data: Type.Array(Passkey),
});

export const beginPasskey = endpoint({
  ...common,
  method: 'POST',
  path: '/console/passkeys/options',
  access: 'any',
  summary: 'Begin to register another passkey',
  data: BrowserOptions,
});

export const addPasskey = endpoint({
  ...common,
  method: 'POST',
  path: '/console/passkeys',
  access: 'any',
  summary: 'Register another passkey',
  body: Strict({ passkey: Credential, name: Name('A name for the passkey.', 'Security key') }),
  data: Passkey,
});

export const removePasskey = endpoint({
  ...common,
  method: 'DELETE',
  path: '/console/passkeys/:id',
  access: 'any',
  summary: 'Remove a passkey',
  params: Strict({ id: Type.String({ maxLength: 1_500 }) }),
  data: Passkey,
});

export const beginSingleSignOn = endpoint({
  ...common,
  method: 'GET',
  path: '/console/sign-in/oidc',
  access: 'public',
  summary: 'Begin the single sign-on',
  data: Type.Null(),
});

export const finishSingleSignOn = endpoint({
  ...common,
  method: 'GET',
  path: '/console/sign-in/oidc/callback',
  access: 'public',
  ignoresQuery: true,
  summary: 'End of the single sign-on',
  data: Type.Null(),
});

// Operators for tests: invited through the API, joined and signed in through the routes of the console, as a browser does it.

import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { type Answer, type Ask, MASTER_KEY, type TestApp } from './app.ts';

export const PASSWORD = 'five quiet otters swim';

export type Asked = {
  readonly body?: unknown;
  readonly cookie?: string;
  readonly csrf?: string;
  /** The text of an invitation. */
  readonly invitation?: string;
  readonly headers?: Record<string, string>;
  /** False: the request does not say that it comes from the console. */
  readonly isOwn?: boolean;
};

/** A request at the root of the server, as a page of the console sends it. */
export const ask = async (app: Pick<TestApp, 'url'>, request: string, asked: Asked = {}): Promise<Answer> => {
  const [method, path] = request.split(' ') as [string, string];
  const { body, cookie, csrf, invitation, headers = {}, isOwn = true } = asked;
  const answer = await httpRequest(`${app.url}${path}`, {
    method,
    headers: {
      ...(isOwn ? { origin: app.url, 'sec-fetch-site': 'same-origin' } : {}),
      ...(cookie === undefined ? {} : { cookie }),
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
      ...(invitation === undefined ? {} : { 'x-invitation': invitation }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
};

/** The cookies that an answer sets, as a request sends them. */
export const cookiesOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');

export const stepNow = (): number => Math.floor(Date.now() / 30_000);

export const codeAt = (secret: string, step: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * 30_000 });

export const tokenOf = (inviteUrl: string): string => new URL(inviteUrl).hash.slice(1);

type Wanted = {
  readonly role?: string;
  readonly email?: string;
  readonly name?: string;
  readonly everywhere?: boolean;
  readonly marketplaceId?: string;
};

let made = 0;

export const invite = async (app: TestApp, wanted: Wanted = {}) => {
  const { marketplaceId, role = 'viewer', name = 'Ada Lovelace', ...rest } = wanted;
  const answer = await app.call('POST /operators', {
    key: MASTER_KEY,
    body: { email: `operator-${++made}@shop.example`, name, role, ...rest },
    ...(marketplaceId === undefined ? {} : { headers: { 'x-marketplace-id': marketplaceId } }),
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data as { id: string; email: string; inviteUrl: string };
};

export type SignedIn = {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  readonly csrf: string;
  readonly sessionId: string;
  /** A request to the API with the session. */
  call(request: string, asked?: Omit<Ask, 'key'>): Promise<Answer>;
};

const signedIn = (app: TestApp, { answer, id, email }: { answer: Answer; id: string; email: string }): SignedIn => {
  const session = answer.body.data.session ?? answer.body.data;
  const cookie = cookiesOf(answer);
  return {
    id,
    email,
    cookie,
    csrf: session.csrfToken,
    sessionId: session.sessionId,
    call: (request, asked = {}) =>
      app.call(request, {
        ...asked,
        key: null,
        headers: { cookie, origin: app.url, 'x-csrf-token': session.csrfToken, ...asked.headers },
      }),
  };
};

export type Joined = SignedIn & { readonly secret: string; readonly recoveryCodes: string[] };

/** Accepts an invitation with a password and an app. */
export const accept = async (
  app: TestApp,
  invited: { id: string; email: string; inviteUrl: string },
): Promise<Joined> => {
  const token = tokenOf(invited.inviteUrl);
  const begun = await ask(app, 'POST /console/invite/totp', { invitation: token });
  assert.equal(begun.status, 200, begun.text);
  const { secret } = begun.body.data;
  const answer = await ask(app, 'POST /console/invite', {
    invitation: token,
    cookie: cookiesOf(begun),
    body: { password: PASSWORD, code: codeAt(secret, stepNow()) },
  });
  assert.equal(answer.status, 200, answer.text);
  const { recoveryCodes } = answer.body.data;
  return { ...signedIn(app, { answer, ...invited }), secret, recoveryCodes };
};

/** An operator who has joined and is signed in. */
export const anOperator = async (app: TestApp, wanted: Wanted = {}): Promise<Joined> =>
  accept(app, await invite(app, wanted));

/** What a sign-in sends. A code of the app works once in half a minute, so each sign-in takes one of the ten recovery codes. */
export const credentialsOf = ({ email, recoveryCodes }: Joined) => {
  const code = recoveryCodes.pop();
  assert.ok(code, 'this operator has used all its recovery codes');
  return { email, password: PASSWORD, code };
};

export const signIn = async (app: TestApp, operator: Joined): Promise<SignedIn> => {
  const { id, email } = operator;
  const body = credentialsOf(operator);
  const answer = await ask(app, 'POST /console/session', { body });
  assert.equal(answer.status, 200, answer.text);
  return signedIn(app, { answer, id, email });
};

// The sign-in with a passkey, and the passkeys of an operator who is signed in. A response is checked against the challenge in the cookie of
// the same browser, which is used once.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError, isDomainError } from '../../base/domain-error.ts';
import { command, runCommand, type Submit } from '../../commit/command.ts';
import type { Wire } from '../../http/route.ts';
import { attemptCookie } from '../../http/session-cookie.ts';
import { validationError } from '../../http/validation/messages.ts';
import { liveOperator } from '../operators/change-operator.ts';
import { claimIdOf, type Operator, type OperatorPasskey } from '../operators/operator.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { ATTEMPT_MS, type AttemptKeeper } from './attempts.ts';
import { type BeginSessions, type ConsoleAnswer, contextFor, type OperatorPlace } from './begin-sessions.ts';
import type { NewPasskey } from './join.ts';
import type { Passkeys } from './passkeys.ts';

type Parts = {
  readonly operators: Pick<OperatorReads, 'find' | 'findByClaim' | 'passkeys'>;
  readonly submit: Submit;
  readonly sessions: BeginSessions;
  readonly attempts: AttemptKeeper;
  readonly passkeys: Passkeys;
};

type Response = { readonly id: string; readonly response?: unknown };

type Asking = { readonly wire: Wire; readonly requestId: string };

const failed = (): DomainError => new DomainError('SIGN_IN_FAILED');

const userHandleOf = ({ response }: Response): string => {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown };
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString('utf8') : '';
};

const presentPasskey = ({ id, name, createdAt, lastUsedAt }: OperatorPasskey) => ({ id, name, createdAt, lastUsedAt });

const passkeyNeeds = (operatorId: string) => [
  { table: 'operators', id: operatorId } as const,
  { table: 'operatorPasskeys', by: 'operator', value: operatorId } as const,
];

type AddInput = { readonly operatorId: string; readonly passkey: NewPasskey };

const addPasskey = command<AddInput, OperatorPasskey>({
  name: 'add-operator-passkey',
  needs: ({ operatorId, passkey }) => ({
    rows: [...passkeyNeeds(operatorId), { table: 'operatorPasskeys', id: passkey.id }],
  }),
  decide({ operatorId, passkey }, work) {
    liveOperator(work, operatorId);
    const own = work.listBy('operatorPasskeys', { by: 'operator', value: operatorId });
    if (own.length >= LIMITS.passkeys) throw validationError([`an operator has at most ${LIMITS.passkeys} passkeys`]);
    if (work.find('operatorPasskeys', passkey.id)) throw validationError(['passkey is registered already']);
    const added: OperatorPasskey = { ...passkey, operatorId, state: 'live', createdAt: work.now, lastUsedAt: null };
    work.put('operatorPasskeys', added);
    work.audit({
      action: 'OPERATOR_PASSKEY_ADDED',
      resourceType: 'Operator',
      resourceId: operatorId,
      after: { name: added.name },
    });
    return added;
  },
});

type RemoveInput = { readonly operatorId: string; readonly passkeyId: string; readonly needsSecondFactor: boolean };

/** Whether the operator could still sign in. */
const hasOtherWay = ({ passwordHash, sealedTotp, singleSignOn }: Operator, needsSecondFactor: boolean): boolean =>
  singleSignOn !== null || (passwordHash !== null && (sealedTotp !== null || !needsSecondFactor));

const removePasskey = command<RemoveInput, OperatorPasskey>({
  name: 'remove-operator-passkey',
  needs: ({ operatorId }) => ({ rows: passkeyNeeds(operatorId) }),
  decide({ operatorId, passkeyId, needsSecondFactor }, work) {
    const operator = liveOperator(work, operatorId);
    const own = work.listBy('operatorPasskeys', { by: 'operator', value: operatorId });
    const passkey = own.find(({ id }) => id === passkeyId);
    if (!passkey) throw validationError(['passkey is not registered']);
    if (own.length === 1 && !hasOtherWay(operator, needsSecondFactor)) {
      throw validationError(['this passkey is the only way to sign in; register another one first']);
    }
    const removed: OperatorPasskey = { ...passkey, state: 'removed' };
    work.put('operatorPasskeys', removed);
    work.audit({
      action: 'OPERATOR_PASSKEY_REMOVED',
      resourceType: 'Operator',
      resourceId: operatorId,
      before: { name: removed.name },
    });
    return removed;
  },
});

export const createPasskeySignIn = ({ operators, submit, sessions, attempts, passkeys }: Parts) => {
  const keep = (value: string, wire: Wire): string =>
    attemptCookie({ value, isSecure: sessions.isSecure(wire), maxAgeS: ATTEMPT_MS / 1_000 });

  const subjectOf = ({ operatorId }: OperatorPlace): string => `operator:${operatorId}`;

  const check = async (response: Response, wire: Wire) => {
    const begun = await attempts.open('sign-in-passkey', wire.attempt);
    const found = await operators.findByClaim({ claimId: userHandleOf(response) });
    if (begun === null || found === null) throw failed();
    const place = { marketplaceId: found.marketplaceId, operatorId: found.operator.id };
    const known = await operators.passkeys(place.marketplaceId, place.operatorId);
    const passkey = known.find(({ id }) => id === response.id);
    if (!passkey) throw failed();
    const origin = sessions.originOf(wire);
    const counter = await passkeys.checkSignIn({ response, challenge: begun.challenge, origin, passkey });
    if (counter === null) throw failed();
    return { ...place, proof: { method: 'passkey', passkeyId: passkey.id, counter } as const };
  };

  return {
    async begin(wire: Wire): Promise<ConsoleAnswer> {
      const options = await passkeys.signInOptions({ origin: sessions.originOf(wire) });
      const value = attempts.seal('sign-in-passkey', { challenge: options.challenge });
      return { data: options, cookies: [keep(value, wire)] };
    },

    async signIn(response: Response, { wire, requestId }: Asking): Promise<ConsoleAnswer> {
      const proved = await check(response, wire);
      try {
        return await sessions.begin({ ...proved, wire, requestId });
      } catch (error) {
        // A deleted operator is like one that never was.
        throw isDomainError(error) && error.status < 500 ? failed() : error;
      }
    },

    async list({ marketplaceId, operatorId }: OperatorPlace) {
      return (await operators.passkeys(marketplaceId, operatorId)).map(presentPasskey);
    },

    async beginAdding(place: OperatorPlace, wire: Wire): Promise<ConsoleAnswer> {
      const operator = await operators.find(place.marketplaceId, place.operatorId);
      if (!operator) throw new DomainError('UNAUTHORIZED');
      const known = await operators.passkeys(place.marketplaceId, place.operatorId);
      const { email, name, emailKey } = operator;
      const of = { email, name, userHandle: claimIdOf(emailKey), known, origin: sessions.originOf(wire) };
      const options = await passkeys.registrationOptions(of);
      const value = attempts.seal('register-passkey', { subject: subjectOf(place), challenge: options.challenge });
      return { data: options, cookies: [keep(value, wire)] };
    },

    async add(place: OperatorPlace, asking: Asking & { readonly response: Response; readonly name: string }) {
      const { wire, requestId, response, name } = asking;
      const begun = await attempts.open('register-passkey', wire.attempt);
      const challenge = begun?.subject === subjectOf(place) ? begun.challenge : null;
      const passkey = await passkeys.checkRegistration({ response, challenge, origin: sessions.originOf(wire), name });
      const input = { operatorId: place.operatorId, passkey };
      const context = contextFor(place, requestId);
      return presentPasskey(await runCommand(submit, { command: addPasskey, input, context }));
    },

    async remove(place: OperatorPlace, of: { passkeyId: string; needsSecondFactor: boolean; requestId: string }) {
      const { passkeyId, needsSecondFactor, requestId } = of;
      const input = { operatorId: place.operatorId, passkeyId, needsSecondFactor };
      const context = contextFor(place, requestId);
      return presentPasskey(await runCommand(submit, { command: removePasskey, input, context }));
    },
  };
};

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;

// Routes of registration and login.

import type { Currency } from '@holdfast/contract/currencies.ts';
import * as api from '@holdfast/contract/surface-b/people.ts';
import { EMAIL_TAKEN } from '@holdfast/contract/surface-b/refusals.ts';
import { ulid } from '../../../base/ulid.ts';
import { runCommand, type Submit } from '../../../commit/command.ts';
import type { PreparedWallet } from '../../../ledger/keys/wallet.ts';
import type { Logins } from '../../passwords/logins.ts';
import type { Passwords } from '../../passwords/passwords.ts';
import { invalid, refusal } from '../surface/envelope.ts';
import { route, type SurfaceBRoute } from '../surface/route.ts';
import type { PeopleTokens } from './people-tokens.ts';
import { emailKeyOf, type Person } from './person.ts';
import type { PeopleReads } from './queries.ts';
import { registerPerson } from './register-person.ts';

type Parts = {
  readonly submit: Submit;
  readonly people: Pick<PeopleReads, 'findByEmail'>;
  readonly logins: Logins;
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly tokens: Pick<PeopleTokens, 'sign'>;
  readonly baseCurrency: Currency;
  /** A custodial wallet for a new user. */
  prepareWallet(marketplaceId: string): Promise<PreparedWallet>;
};

const presentPerson = ({ id, email, name }: Person) => ({ id, email, name });

export const peopleRoutes = (parts: Parts): SurfaceBRoute[] => {
  const { submit, people, logins, passwords, tokens, baseCurrency } = parts;

  return [
    route(api.register, async ({ body, context }) => {
      const { email, name, password } = body;
      const { marketplaceId } = context;
      // The command checks again. This check avoids the cost of the hash.
      if (await people.findByEmail(marketplaceId, emailKeyOf(email))) throw invalid(EMAIL_TAKEN);
      const [passwordHash, wallet] = await Promise.all([logins.hash(password), parts.prepareWallet(marketplaceId)]);
      const externalUserId = `surface-b:${ulid(Date.now())}`;
      const input = { externalUserId, email, name, passwordHash, baseCurrency, wallet };
      const made = await runCommand(submit, { command: registerPerson, input, context });
      const token = await tokens.sign({ marketplaceId, userId: made.person.id });
      return { ...presentPerson(made.person), token };
    }),

    route(api.login, async ({ body, context, address }) => {
      const { marketplaceId } = context;
      const emailKey = emailKeyOf(body.email);
      const person = await people.findByEmail(marketplaceId, emailKey);
      const stored = person?.passwordHash ?? null;
      const verify = (): Promise<boolean> => passwords.verify(body.password, stored);
      const isRight = await logins.check({ emailKey, address, verify });
      if (!isRight || !person) throw refusal('wrongPassword');
      return { token: await tokens.sign({ marketplaceId, userId: person.id }), user: presentPerson(person) };
    }),
  ];
};

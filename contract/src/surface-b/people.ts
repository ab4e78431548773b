// Registration and login of people.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { surfaceBEndpoint } from './endpoint.ts';
import { Id, Name, Strict } from './fields.ts';

const Password = (description: string, lengthMin: number) =>
  Type.String({
    minLength: lengthMin,
    maxLength: LIMITS.passwordLength,
    description,
    examples: ['correct horse battery'],
  });

const person = {
  id: Id('user', 'User id, the same as on the other surface.'),
  email: Type.String({ description: 'As it was registered.', examples: ['ada@example.com'] }),
  name: Type.String({ examples: ['Ada'] }),
};

const Token = Type.String({ description: 'Send it as `Authorization: Bearer <token>`.', examples: ['eyJhbGciOi…'] });

const open = { method: 'POST', access: 'open', tag: 'People' } as const;

export const register = surfaceBEndpoint({
  ...open,
  path: '/auth/register',
  summary: 'Register',
  description:
    'Creates a user with a wallet. An e-mail address can be registered once, regardless of upper and lower case.',
  body: Strict({
    email: Type.String({ format: 'email', maxLength: LIMITS.emailLength, examples: ['ada@example.com'] }),
    password: Password('At least eight characters.', LIMITS.passwordLengthLeast),
    name: Name('Name of the person.', 'Ada'),
  }),
  data: Type.Object({ ...person, token: Token }),
  message: 'User registered successfully',
  refusals: [],
});

export const login = surfaceBEndpoint({
  ...open,
  path: '/auth/login',
  summary: 'Log in',
  description:
    'After several failed attempts in a row, further attempts of the account and of the IP address are delayed.',
  body: Strict({
    email: Type.String({ minLength: 1, maxLength: LIMITS.emailLength, examples: ['ada@example.com'] }),
    password: Password('The registered password.', 1),
  }),
  data: Type.Object({ token: Token, user: Type.Object(person) }),
  message: 'Login successful',
  refusals: ['wrongPassword', 'tooManyGuesses'],
});

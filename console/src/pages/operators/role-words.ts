// The roles of operators, in words.

import type { Operator } from '@holdfast/sdk';
import { plural } from '../../plural.ts';

export type Role = Operator['role'];

export const ROLE_WORDS: Readonly<Record<Role, { readonly name: string; readonly text: string }>> = {
  viewer: { name: 'Viewer', text: 'Sees everything of the marketplace.' },
  support: { name: 'Support', text: 'Works with users, orders and disputes; credits, debits and pays nothing out.' },
  finance: { name: 'Finance', text: 'Also credits, debits and pays out; decides no disputes.' },
  admin: { name: 'Administrator', text: 'Everything of the marketplace, operators included.' },
};

export const ROLE_OPTIONS = Object.entries(ROLE_WORDS).map(([value, { name }]) => ({ value, name }));

const METHODS: Readonly<Record<string, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  'single-sign-on': 'Single sign-on',
  invitation: 'Invitation',
};

export const methodWords = (method: string): string => METHODS[method] ?? method;

type Ways = Pick<Operator, 'hasPassword' | 'hasTotp' | 'passkeys' | 'hasSingleSignOn'>;

/** `Password and code, 2 passkeys`. */
export const waysWords = ({ hasPassword, hasTotp, passkeys, hasSingleSignOn }: Ways): string =>
  [
    hasPassword ? (hasTotp ? 'Password and code' : 'Password') : '',
    passkeys === 0 ? '' : plural(passkeys, 'passkey'),
    hasSingleSignOn ? 'Single sign-on' : '',
  ]
    .filter(Boolean)
    .join(', ');

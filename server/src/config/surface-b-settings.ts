// Settings of Surface B: whether it is served, for which marketplace, and how people get in.

import { DEFAULT_MARKETPLACE, MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import { boolean, duration, integer, oneOf, words } from './parsers.ts';
import { setting } from './setting.ts';

export const SURFACE_B_SETTINGS = {
  surfaceB: {
    served: setting({
      name: 'SURFACE_B',
      parser: boolean,
      default: 'on',
      meaning: 'Whether Surface B is served at the root. Off, nobody can register.',
      example: 'off',
    }),
    marketplaceId: setting({
      name: 'SURFACE_B_MARKETPLACE',
      parser: words({ pattern: new RegExp(MARKETPLACE_ID_PATTERN), expects: `an id such as ${DEFAULT_MARKETPLACE}` }),
      default: DEFAULT_MARKETPLACE,
      meaning: 'The marketplace whose users, books and events Surface B shares.',
      example: 'mkt_shop',
    }),
    initAuth: setting({
      name: 'ESCROW_INIT_AUTH',
      parser: oneOf(['off', 'required']),
      default: 'off',
      meaning:
        "Whether POST /escrow/init needs the token of the project's owner. Off, as it is declared, whoever knows a project's id can have its escrow funded from the owner's balance.",
      example: 'required',
    }),
    tokenTtlMs: setting({
      name: 'SURFACE_B_TOKEN_TTL_H',
      parser: duration({ unit: 'h', min: 1, max: 720 }),
      default: '24',
      meaning: 'How long somebody who logged in stays so.',
      example: '8',
    }),
    loginFailuresMax: setting({
      name: 'LOGIN_FAILURES_MAX',
      parser: integer({ min: 1, max: 1_000 }),
      default: '10',
      meaning: 'Failed logins per window, counted for the account and for the address, before both have to wait.',
      example: '5',
    }),
    loginWindowMs: setting({
      name: 'LOGIN_FAILURES_WINDOW_S',
      parser: duration({ unit: 's', min: 1, max: 86_400 }),
      default: '900',
      meaning: 'Length of that window.',
      example: '3600',
    }),
  },
};

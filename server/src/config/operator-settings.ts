// Settings of operators: how they sign in, how long a session lasts, and the single sign-on.

import { duration, oneOf, secret, serviceUrl, words } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const OPERATOR_SETTINGS = {
  operators: {
    secondFactor: setting({
      name: 'OPERATOR_SECOND_FACTOR',
      parser: oneOf(['required', 'optional']),
      default: 'required',
      meaning:
        'Whether an operator with a password needs a second factor: codes of an app, or a passkey instead of the password. The single sign-on has its own.',
      example: 'optional',
    }),
    sessionIdleMs: setting({
      name: 'SESSION_IDLE_MINUTES',
      parser: duration({ unit: 'min', min: 1, max: 1_440 }),
      default: '30',
      meaning: 'An operator who does nothing for so long is signed out; so is a user of the console with a key.',
      example: '10',
    }),
    sessionMs: setting({
      name: 'SESSION_HOURS',
      parser: duration({ unit: 'h', min: 1, max: 168 }),
      default: '12',
      meaning: 'An operator has to sign in again after so long, whatever happens.',
      example: '8',
    }),
    sessionHistoryMs: setting({
      name: 'SESSION_HISTORY_DAYS',
      parser: duration({ unit: 'days', min: 1, max: 3_650 }),
      default: '90',
      meaning:
        'How long a session is kept after its end, with its address and browser. The audit trail keeps the sign-ins for good.',
      example: '30',
    }),
    keySignIn: optionalSetting({
      name: 'CONSOLE_KEY_SIGN_IN',
      parser: oneOf(['allow', 'refuse']),
      unset: 'allow while HOST is loopback, the sandbox runs, or there is no operator; otherwise refuse',
      meaning:
        'Whether the console offers to sign in with an API key. The audit trail then names the key and not the person.',
      example: 'refuse',
    }),
    oidcIssuer: optionalSetting({
      name: 'OIDC_ISSUER',
      parser: serviceUrl,
      unset: 'no single sign-on',
      meaning: 'The issuer of the single sign-on (OpenID Connect). Its addresses are read from the issuer itself.',
      example: 'https://id.shop.example',
    }),
    oidcClientId: optionalSetting({
      name: 'OIDC_CLIENT_ID',
      parser: words({ pattern: /^[\x21-\x7e]{1,200}$/, expects: 'visible ASCII characters without spaces' }),
      unset: 'needed with OIDC_ISSUER',
      meaning: 'The id of this server at the issuer. Its redirect address is PUBLIC_URL/console/sign-in/oidc/callback.',
      example: 'holdfast',
    }),
    oidcClientSecret: optionalSetting({
      name: 'OIDC_CLIENT_SECRET',
      parser: secret({ lengthMin: 8 }),
      secret: true,
      unset: 'needed with OIDC_ISSUER',
      meaning: 'The secret of this server at the issuer.',
      example: '"$(cat /run/secrets/oidc)"',
    }),
    oidcName: setting({
      name: 'OIDC_NAME',
      parser: words({ pattern: /^[^\p{C}]{1,60}$/u, expects: 'a name of at most 60 characters' }),
      default: 'single sign-on',
      meaning: 'What the sign-in page calls the single sign-on.',
      example: 'Shop account',
    }),
  },
};

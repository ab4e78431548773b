// Which passwords operators may choose: long ones that are not among the first guesses. Length counts more than kinds of characters.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { validationError } from '../../http/validation/messages.ts';

/** The beginnings of the passwords that are guessed first, among those that are long enough. */
const GUESSED = [
  'password',
  'passw0rd',
  'p@ssword',
  '1234567890',
  '0123456789',
  '1q2w3e4r',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfgh',
  'letmein',
  'welcome',
  'iloveyou',
  'abc123',
  'abcdefgh',
  'admin',
  'administrator',
  'changeme',
  'holdfast',
  'trustno1',
  'monkey',
  'football',
  'baseball',
  'superman',
  'correcthorse',
  'correct horse',
];
const DISTINCT_LEAST = 5;

type Person = { readonly email: string; readonly name: string };

const partsOf = ({ email, name }: Person): string[] =>
  [email, email.split('@')[0]!, name, ...name.split(/\s+/)].map((part) => part.toLowerCase());

/** Without what is only appended to reach the length. */
const coreOf = (password: string): string => password.replaceAll(/[\d\s!?.,_*#@$-]+$/g, '');

/** Why the password may not be used; null when it may. */
const whyRefused = (password: string, person: Person): string | null => {
  const { operatorPasswordLengthLeast: least, operatorPasswordLength: most } = LIMITS;
  const length = [...password].length;
  if (length < least) return `password must have at least ${least} characters`;
  if (length > most) return `password must have at most ${most} characters`;
  const lower = password.normalize('NFKC').toLowerCase();
  if (new Set(lower).size < DISTINCT_LEAST) return 'password has too few different characters';
  const core = coreOf(lower);
  if (core === '' || GUESSED.some((word) => core === word || core.replaceAll(word, '') === '')) {
    return 'password is among those that are guessed first; choose several words of your own';
  }
  if (partsOf(person).some((part) => part.length >= 3 && (core === part || lower === part))) {
    return 'password must not be the name or the e-mail address';
  }
  return null;
};

export const requireStrong = (password: string, person: Person): void => {
  const reason = whyRefused(password, person);
  if (reason !== null) throw validationError([reason]);
};

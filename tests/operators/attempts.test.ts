// An attempt of a sign-in is used once, however its text is spelled: base64url ignores the last bits, and what follows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAttempts } from '../../server/src/modules/operator-sessions/attempts.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const openAttempts = () => {
  const used = new Set<string>();
  return createAttempts({
    secrets: ['a-secret-of-the-tests-0123456789abcdef'],
    nowMs: Date.now,
    async useOnce(value) {
      const isNew = !used.has(value);
      used.add(value);
      return isNew;
    },
  });
};

/** Other texts of the same bytes. */
const spellingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text, 'base64url');
  const altered = [...ALPHABET].flatMap((last) => [text.slice(0, -1) + last, text + last]);
  return altered.filter((other) => other !== text && Buffer.from(other, 'base64url').equals(bytes));
};

test('an attempt is used once, also when the last character of its text is altered', async () => {
  // The number of ignored bits depends on the length.
  for (const challenge of ['c', 'ch', 'cha']) {
    const attempts = openAttempts();
    const text = attempts.seal('sign-in-passkey', { challenge });
    const others = spellingsOf(text);
    assert.ok(others.length > 0, challenge);
    assert.deepEqual(await attempts.open('sign-in-passkey', text), { challenge });
    for (const other of [text, ...others]) assert.equal(await attempts.open('sign-in-passkey', other), null, other);
  }
});

test('the secret of an app is not used up by a wrong code', async () => {
  const attempts = openAttempts();
  const content = { subject: 'opr_1', secret: 'of the app' };
  const text = attempts.seal('totp', content);
  for (let time = 0; time < 2; time++) assert.deepEqual(await attempts.open('totp', text), content);
});

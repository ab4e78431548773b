// The messages of the SDK's errors, which are all that a test runner prints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from './fixture.ts';

test('the message of an invalid request names the first problem, and how many more there are', async (t) => {
  const { client } = await openFixture(t);
  const create = (body: object) => client.users.create(body as { externalUserId: string });
  await assert.rejects(create({}), { message: 'The request is not valid: externalUserId is required.' });
  await assert.rejects(create({ email: 'ada' }), {
    code: 'VALIDATION_ERROR',
    message: /^The request is not valid: .+\. More problems in details\.validationErrors: 1\.$/,
  });
});

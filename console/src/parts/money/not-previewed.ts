// The confirmed routes without a preview, each with the reason of the contract. A test compares them with the contract.

const DELIVERY = 'it only sends webhooks again, and changes neither money nor the state of a record.';
const OPERATION = 'it controls the running server, and not the records of a marketplace.';
const SECRET = 'its answer contains a new secret, which exists only once it is stored.';

const REASONS = {
  'POST /auth/api-keys/:id/rotate': SECRET,
  'POST /operators/:id/invite': SECRET,
  'POST /webhook-endpoints/:id/rotate-secret': SECRET,
  'POST /webhook-endpoints/:id/replay': DELIVERY,
  'POST /webhook-endpoints/:id/retry-failed': DELIVERY,
  'POST /users/:userId/balance/sync':
    'it reads an outside system and stores what that system says now, which a preview cannot know. GET /users/{userId}/balance/verify shows the difference.',
  'POST /payments/hold': OPERATION,
  'POST /payments/release': OPERATION,
} as const;

export const notPreviewed = (route: keyof typeof REASONS): { readonly none: string } => ({ none: REASONS[route] });

// The policies of one marketplace, and orders that take them: part of tenancy-life.ts.

const DAY_MS = 86_400_000;

type Ask = (request: string, body?: unknown) => Promise<{ id: string }>;

export const usePolicies = async (ask: Ask, parties: { buyerId: string; sellerId: string }): Promise<void> => {
  const rules = { cancelUnfundedAfter: 'P3D', remindBefore: ['P1D'], platformFee: { percent: '1.00' } };
  await ask('POST /policies', { name: 'standard', rules });
  const { id } = await ask('POST /policies', { name: 'standard', rules: {} });
  await ask('GET /policies');
  await ask('GET /policies?name=standard');
  await ask(`GET /policies/${id}`);
  await ask('POST /orders', { ...parties, amount: '10.00', policy: id });
  await ask('POST /policies', { name: 'timed', rules });
  const order = await ask('POST /orders', { ...parties, amount: '10.00', policy: 'timed' });
  const deadline = `POST /orders/${order.id}/deadlines/cancel_unfunded`;
  await ask(`${deadline}/hold`, { reason: 'Both asked for it.' });
  await ask(`${deadline}/resume`);
  await ask(`${deadline}/extend`, { until: new Date(Date.now() + 5 * DAY_MS).toISOString() });
  await ask(`${deadline}/trigger`);
};

// The policies of one marketplace, and orders that take them: part of tenancy-life.ts.

type Ask = (request: string, body?: unknown) => Promise<{ id: string }>;

export const usePolicies = async (ask: Ask, parties: { buyerId: string; sellerId: string }): Promise<void> => {
  const rules = { cancelUnfundedAfter: 'P3D', remindBefore: ['P1D'], platformFee: { percent: '1.00' } };
  await ask('POST /policies', { name: 'standard', rules });
  const { id } = await ask('POST /policies', { name: 'standard', rules: {} });
  await ask('GET /policies');
  await ask('GET /policies?name=standard');
  await ask(`GET /policies/${id}`);
  await ask('POST /orders', { ...parties, amount: '10.00', policy: id });
  const order = await ask('POST /orders', { ...parties, amount: '10.00', policy: 'standard' });
  await ask(`POST /orders/${order.id}/cancel`);
};

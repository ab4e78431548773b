// A provider whose requests a test can read afterwards. It answers as before.

import type { Priority } from '../../server/src/providers/ports.ts';

type Ranked<Provider> = {
  withPriority(priority: Priority): Provider;
  forMarketplace?(marketplaceId: string): Provider;
};

/** Adds the priority and the name of each request, such as `background account`, before it is sent. */
export const recordedIn = (requests: string[]) => {
  const recorded = <Provider extends Ranked<Provider>>(provider: Provider, priority: Priority): Provider =>
    new Proxy(provider, {
      get(real, name: string & keyof Provider) {
        if (name === 'withPriority') return (next: Priority) => recorded(real.withPriority(next), next);
        if (name === 'forMarketplace') return (id: string) => recorded(real.forMarketplace!(id), priority);
        const member = real[name];
        if (typeof member !== 'function') return member;
        return (...asked: unknown[]) => {
          requests.push(`${priority} ${name}`);
          return member(...asked);
        };
      },
    });
  return <Provider extends Ranked<Provider>>(provider: Provider): Provider => recorded(provider, 'operation');
};

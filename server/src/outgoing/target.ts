// Where a request may go whose address a caller has chosen. Addresses that are not on the public internet are refused unless a setting
// allows them: when the address is stored, and again for what its name resolves to at the moment of the connection.

import { type LookupAddress, lookup as lookUp, promises } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createGate } from '../base/concurrency.ts';

/** Names of the host itself and of local networks. What other names resolve to is checked when a connection is made. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$|^[^.]+$/i;

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** All IPv6 addresses of the public internet begin like this. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** A host inside the network of a large provider, although its address is a public one. */
const PROVIDER_HOSTS = new Set(['168.63.129.16']);

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !PROVIDER_HOSTS.has(address.toString());

/** A network without IPv4 reaches IPv4 addresses through these (NAT64): the last four bytes are the address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const NAT64_BYTES = 12;

/** Not private, loopback, link-local, multicast or reserved. Other forms that contain an IPv4 address are not ordinary addresses either. */
const isPublicAddress = (address: string): boolean => {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIPv4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(parsed.toIPv4Address());
  if (parsed.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(parsed.toByteArray().slice(NAT64_BYTES)));
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6);
};

export type TargetRules = { readonly allowsPrivate: boolean };

const MALFORMED = 'url must be a complete https address, such as https://shop.example/webhooks';

/** Why the address is refused, as a sentence about the field `url`; null when it is accepted. */
export const whyRefused = (text: string, { allowsPrivate }: TargetRules): string | null => {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return MALFORMED;
  if (url.username || url.password) return 'url must not have a user name or password';
  if (url.hash) return 'url must not have a fragment (#)';
  if (allowsPrivate) return null;
  if (url.protocol !== 'https:') return 'url must begin with https://';
  const host = withoutBrackets(url.hostname);
  const isLocal = isIP(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host);
  return isLocal
    ? 'url must be an address on the public internet; the operator can allow others with WEBHOOK_PRIVATE_ADDRESSES=allow'
    : null;
};

/** `why`: the end of a sentence about the address. */
export class RefusedAddress extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RefusedAddress';
  }
}

const notPublic = (host: string, address: string): RefusedAddress =>
  new RefusedAddress(`${host} resolves to ${address}, which is not an address on the public internet`);

/** When a request is made: a literal address is never resolved, and the setting may have changed since the address was stored. */
export const requireAllowed = ({ hostname, protocol }: URL, { allowsPrivate }: TargetRules): void => {
  if (allowsPrivate) return;
  const host = withoutBrackets(hostname);
  if (isIP(host) && !isPublicAddress(host))
    throw new RefusedAddress(`${host} is not an address on the public internet`);
  if (protocol !== 'https:') throw new RefusedAddress('it does not begin with https://');
};

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** The system's resolver blocks a thread for each name, and the whole process has few. One must stay free whatever callers enter. */
const SYSTEM_LOOKUPS_MAX = 2;

/** Also finds names of the file of hosts, which only private networks use. */
const createSystemResolve = (): Resolve => {
  const gate = createGate({ atOnce: SYSTEM_LOOKUPS_MAX });
  return (host) =>
    gate(
      () =>
        new Promise((resolve, reject) => {
          lookUp(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
        }),
    );
};

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 3;

/** Asks the name servers without a thread: a name server that never answers delays only those who ask for its names. */
const createDnsResolve = (): Resolve => {
  const resolver = new promises.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    const of = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
      answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
    return [...of(v4, 4), ...of(v6, 6)];
  };
};

/** Requests to the same name at the same time wait for one lookup: a name without an answer must not take the places of others. */
const sharedWhileAsked = (resolve: Resolve): Resolve => {
  const asked = new Map<string, Promise<LookupAddress[]>>();
  return (host) => {
    const known = asked.get(host);
    if (known) return known;
    const asking = resolve(host).finally(() => asked.delete(host));
    asked.set(host, asking);
    return asking;
  };
};

/**
 * Resolves a name for one connection, which then uses the addresses that were checked here: an answer that changes between a check and
 * the connection has no effect. One refused address refuses all, because the connection may try any of them.
 */
export const checkedLookup = (
  { allowsPrivate }: TargetRules,
  resolve: Resolve = allowsPrivate ? createSystemResolve() : createDnsResolve(),
): LookupFunction => {
  const resolveOnce = sharedWhileAsked(resolve);
  const checked = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await resolveOnce(host);
    const refused = allowsPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) throw notPublic(host, refused.address);
    if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
    return addresses;
  };
  return (host, { all }, done) => {
    checked(host).then(
      (addresses) => (all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => done(error, ''),
    );
  };
};

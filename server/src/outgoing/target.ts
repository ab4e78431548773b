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

/** Not private, loopback, link-local, multicast or reserved. Other forms that contain an IPv4 address are not ordinary addresses either. */
const isPublicAddress = (address: string): boolean => {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIPv4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicIPv4(parsed.toIPv4Address());
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6);
};

export type TargetRules = { readonly allowsPrivate: boolean };

/** Why the address is refused, as a sentence about the field `url`; null when it is accepted. */
export const whyRefused = (text: string, { allowsPrivate }: TargetRules): string | null => {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'url must be an https address';
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

export class RefusedAddress extends Error {
  constructor(host: string, address: string) {
    super(`${host} resolves to ${address}, which is not an address on the public internet`);
    this.name = 'RefusedAddress';
  }
}

/** A literal address is never resolved, so it is checked when a request is made. */
export const requireAllowedLiteral = ({ hostname }: URL, { allowsPrivate }: TargetRules): void => {
  const host = withoutBrackets(hostname);
  if (!allowsPrivate && isIP(host) && !isPublicAddress(host)) throw new RefusedAddress(hostname, host);
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

/**
 * Resolves a name for one connection, which then uses the addresses that were checked here: an answer that changes between a check and
 * the connection has no effect. One refused address refuses all, because the connection may try any of them.
 */
export const checkedLookup = (
  { allowsPrivate }: TargetRules,
  resolve: Resolve = allowsPrivate ? createSystemResolve() : createDnsResolve(),
): LookupFunction => {
  const checked = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(host);
    const refused = allowsPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) throw new RefusedAddress(host, refused.address);
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

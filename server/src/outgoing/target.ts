// Where a request may go whose address a caller has chosen. Addresses that are not on the public internet are refused unless a setting
// allows them: when the address is stored, and again for what its name resolves to at the moment of the connection.

import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names of the host itself and of local networks. What other names resolve to is checked when a connection is made. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$|^[^.]+$/i;

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Not private, loopback, link-local, multicast or reserved. Other forms that contain an IPv4 address are not ordinary addresses either. */
const isPublicAddress = (address: string): boolean => {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    return parsed.toIPv4Address().range() === 'unicast';
  }
  return parsed.range() === 'unicast';
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

const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * Resolves a name for one connection, which then uses the addresses that were checked here: an answer that changes between a check and
 * the connection has no effect. One refused address refuses all, because the connection may try any of them.
 */
export const checkedLookup = ({ allowsPrivate }: TargetRules, resolve: Resolve = resolveBySystem): LookupFunction => {
  const checked = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await resolve(host);
    const refused = allowsPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) throw new RefusedAddress(host, refused.address);
    return addresses;
  };
  return (host, { all }, done) => {
    checked(host).then(
      (addresses) => (all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => done(error, ''),
    );
  };
};

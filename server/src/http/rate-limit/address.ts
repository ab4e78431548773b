// The bucket of a caller without a key. An IPv6 customer holds a whole /64, so counting single addresses would give one
// client as many buckets as it likes.

import { isIPv6 } from 'node:net';

export const addressBucket = (address: string | undefined): string => {
  if (address === undefined) return 'ip:unknown';
  if (!address.includes(':')) return `ip:${address}`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return `ip:${mapped[1]}`;
  return isIPv6(address) ? `ip:${networkOf(address)}` : 'ip:unknown';
};

const networkOf = (address: string): string => {
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};

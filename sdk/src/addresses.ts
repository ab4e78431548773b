// Builds the URL of a route: the base, the path with its parameters filled in, and the query. A value must never change which route
// is called.

export type Value = string | number | boolean;

export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;

export const baseOf = (url: string, prefix: string): string => {
  if (!/^https?:\/\/[^/]/i.test(url)) {
    throw new TypeError(
      `The url must begin with http:// or https://, as in http://127.0.0.1:4000. It is ${url || 'empty: check the setting that it is read from'}`,
    );
  }
  if (!URL.canParse(url)) {
    throw new TypeError('The url is not a valid address: check its host and its port, which is at most 65535');
  }
  // fetch would show a password of the URL in its error message; after a query or a # every path would be lost.
  if (!isPlain(url)) {
    throw new TypeError('The url must not contain a user, a password, a query or a fragment');
  }
  const base = url.replace(/\/+$/, '');
  // Both http://host:4000 and http://host:4000/api/v1 are right.
  return base.endsWith(prefix) ? base : base + prefix;
};

const isPlain = (url: string): boolean => {
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === '';
};

export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (!value) throw new TypeError(`${name} is missing: ${path} needs it`);
    // Path segments of dots lead to the parent, however they are written.
    if (value === '.' || value === '..') throw new TypeError(`${name} cannot be ${value}`);
    return encodeURIComponent(value);
  });

export const searchOf = (query: Query): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

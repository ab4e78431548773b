// Headers that every answer carries, whatever it is. They close what a browser would otherwise leave open; a page that
// needs more says so itself.

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Only where a trusted proxy says that the client came by TLS: on plain HTTP browsers must ignore it. */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

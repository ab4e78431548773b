// The headers of every page of the documentation: scripts, styles and pictures of this server, and nothing else.

import { PAGE_HEADERS, policyOf } from '../files/site-file.ts';

export const HTML = 'text/html; charset=utf-8';

export const PAGE_POLICY = { ...PAGE_HEADERS, 'content-security-policy': policyOf({ forms: "'self'" }) };

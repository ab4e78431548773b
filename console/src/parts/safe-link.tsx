// An untrusted URL as a safe link: only http and https, no referrer and no opener, and the host is shown.

import '../styles/safe-link.css';
import { CopyMark } from './copy-button.tsx';
import { Id } from './id.tsx';

type Props = { readonly href: string | null | undefined; readonly name?: string };

/** The parsed URL; null unless it is http or https, and null for a URL with a user name. */
export const webAddress = (text: string): URL | null => {
  const url = URL.parse(text);
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username ? url : null;
};

export const SafeLink = ({ href, name }: Props) => {
  if (!href) return <span className="soft">–</span>;
  const url = webAddress(href);
  if (!url) return <Id value={href} link={false} />;
  return (
    <span className="safe-link">
      <a href={url.href} target="_blank" rel="noopener noreferrer external" title={url.href}>
        {name ?? `${url.host}${url.pathname}`}
        <span className="hidden-text"> (opens in a new tab, at {url.host})</span>
      </a>
      <CopyMark text={url.href} />
    </span>
  );
};

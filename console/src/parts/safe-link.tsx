// An address that somebody else wrote, as a link that can do no harm: only http and https are followed, the other page
// learns nothing of ours, and where it leads is written out.

import '../styles/safe-link.css';
import { CopyMark } from './copy-button.tsx';
import { Id } from './id.tsx';

type Props = { readonly href: string | null | undefined; readonly name?: string };

/** The address when it is one of the web; null for anything else, such as `javascript:`, or a name before the host. */
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

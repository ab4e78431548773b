// The evidence of a dispute. It is untrusted text: only http and https URLs become links, and they get no referrer.

import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { webAddress } from '../../parts/safe-link.tsx';

export const EvidencePanel = ({ evidence }: { readonly evidence: readonly string[] | null }) => (
  <Panel title={`Evidence${evidence?.length ? `, ${evidence.length}` : ''}`} flush>
    {evidence?.length ? (
      <ol className="dispute-evidence">
        {evidence.map((reference, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same reference may be there twice, and the list never changes
          <li key={place}>{<Reference text={reference} />}</li>
        ))}
      </ol>
    ) : (
      <Empty title="No evidence attached">
        Ask the parties for evidence, and record it in the note of the resolution.
      </Empty>
    )}
  </Panel>
);

const Reference = ({ text }: { readonly text: string }) => {
  const address = webAddress(text);
  if (!address) return <span className="mono">{text}</span>;
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
        {text}
      </a>{' '}
      <span className="soft">opens {address.host} in a new tab</span>
    </>
  );
};

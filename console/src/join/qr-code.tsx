// A QR code as an inline picture, black on white in both themes, because readers need the contrast. Loaded when it is shown.

import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** The quiet zone that readers need. */
const MARGIN = 4;

export const QrCode = ({ text }: { readonly text: string }) => {
  const code = generate(text);
  const side = code.size + 2 * MARGIN;
  return (
    <svg
      className="join-qr"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code with the secret of the app"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  );
};

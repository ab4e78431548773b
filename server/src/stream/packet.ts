// The wire format: server-sent events as text, and packets of them as bytes. A packet is encoded once and written to every
// connection that should get it.

export type StreamEvent = {
  readonly position: number;
  readonly occurredAt: string;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly envelope: string;
};

export type Packet = {
  readonly events: number;
  readonly body: Buffer;
  /** The same bytes as one chunk of a chunked response; `body` is a view into it. */
  readonly chunk: Buffer;
};

/** The envelope is JSON without line breaks, so it fits one data line. */
export const frameOf = (event: StreamEvent): string =>
  `id: ${event.occurredAt}\nevent: ${event.eventType}\ndata: ${event.envelope}\n\n`;

export const packetOf = (frames: readonly string[], events = frames.length): Packet => {
  const text = frames.join('');
  const size = Buffer.byteLength(text);
  const head = `${size.toString(16)}\r\n`;
  // Not from Node's shared buffer pool: a slow reader would keep a whole slab of the pool alive.
  const chunk = Buffer.allocUnsafeSlow(head.length + size + 2);
  chunk.write(head, 'latin1');
  chunk.write(text, head.length, 'utf8');
  chunk.write('\r\n', head.length + size, 'latin1');
  return { events, body: chunk.subarray(head.length, head.length + size), chunk };
};

/**
 * Shows clients and proxies that the stream has started. A client without a cursor gets one here, so that it can resume without a
 * gap when the connection breaks before the first event.
 */
export const openingPacket = (cursor: string | null): Packet =>
  packetOf([`: holdfast event stream\nretry: 1000\n${cursor === null ? '' : `id: ${cursor}\n`}\n`], 0);

export const pingPacket = (timestamp: string): Packet =>
  packetOf([`event: ping\ndata: ${JSON.stringify({ ping: true, timestamp })}\n\n`], 0);

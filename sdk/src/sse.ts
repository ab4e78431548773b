// Parses server-sent events from a stream of bytes. It buffers one message at a time and refuses a message without an end.

export type Message = {
  readonly event: string;
  /** Null when the message has no id. */
  readonly id: string | null;
  readonly data: string;
};

const MESSAGE_MAX_CHARS = 4 * 1024 * 1024;

/** `heard` is called for every chunk, so that silence can be detected. */
export async function* readMessages(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop()!;
      if (rest.length > MESSAGE_MAX_CHARS) throw new Error('a message of the stream has no end');
      for (const block of blocks) yield parseMessage(block);
    }
  } finally {
    // Releases the connection also when the reader stops early.
    await reader.cancel().catch(() => {});
  }
}

const parseMessage = (block: string): Message => {
  let event = 'message';
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [field, value] = fieldOf(line);
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return { event, id, data: data.join('\n') };
};

/** A line without a colon is a field without a value; a line that begins with a colon is a comment. */
const fieldOf = (line: string): [string, string] => {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
};

// Some thousand readers of a stream in one process, as cheap as they can be, because they share the machine with what
// they measure: bare sockets that count events, and every hundredth checks each position.

import { connect, type Socket } from 'node:net';

type Order = { connect: { port: number; first: number; count: number; marketplaces: number } } | 'report' | 'leave';

type Client = { socket: Socket; events: number; tail: string; text: string | null; lastPosition: number };

const MARK = Buffer.from('evt_');
const ID = Buffer.from('id: 2');
const CONNECTS_AT_ONCE = 200;

let clients: Client[] = [];
let gaps = 0;
let broken = 0;
/** Milliseconds from the event's own time to here, of the oldest event of each read. */
const latencies = new Uint32Array(120_000);

process.on('disconnect', () => process.exit());
process.on('message', async (order: Order) => {
  if (order === 'leave') {
    for (const { socket } of clients) socket.destroy();
    clients = [];
    latencies.fill(0);
    gaps = 0;
    broken = 0;
    process.send!({ left: true });
  } else if (order === 'report') {
    process.send!({ counts: clients.map((client) => client.events), gaps, broken, latencies: Array.from(latencies) });
  } else {
    await connectAll(order.connect);
    process.send!({ connected: clients.length });
  }
});
process.send!({ ready: true });

async function connectAll(ask: { port: number; first: number; count: number; marketplaces: number }): Promise<void> {
  const last = ask.first + ask.count;
  for (let n = ask.first; n < last; n += CONNECTS_AT_ONCE) {
    const batch = Array.from({ length: Math.min(CONNECTS_AT_ONCE, last - n) }, (_, i) => open(n + i, ask));
    await Promise.all(batch);
  }
}

function open(n: number, { port, marketplaces }: { port: number; marketplaces: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const client: Client = { socket, events: 0, tail: '', text: n % 100 === 0 ? '' : null, lastPosition: 0 };
    clients.push(client);
    let opened = false;
    socket.write(
      `GET /api/v1/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer mkt_${n % marketplaces}\r\nConnection: keep-alive\r\n\r\n`,
    );
    socket.on('data', (data: Buffer) => {
      if (opened) take(client, data);
      else if (data.includes('\n\n')) {
        opened = true;
        resolve();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (clients.includes(client)) broken++;
    });
  });
}

function take(client: Client, data: Buffer): void {
  // A mark may lie across two reads.
  const seam = client.tail + data.toString('latin1', 0, MARK.length - 1);
  if (client.tail !== '' && seam.includes('evt_')) client.events++;
  for (let at = data.indexOf(MARK); at >= 0; at = data.indexOf(MARK, at + MARK.length)) client.events++;
  client.tail = data.toString('latin1', Math.max(0, data.length - MARK.length + 1));

  const id = data.indexOf(ID);
  if (id >= 0 && id + 31 <= data.length) {
    const age = Date.now() - Date.parse(data.toString('latin1', id + 4, id + 31));
    latencies[Math.max(0, Math.min(latencies.length - 1, age))]!++;
  }
  if (client.text !== null) checkPositions(client, data);
}

function checkPositions(client: Client, data: Buffer): void {
  const frames = (client.text + data.toString('latin1')).split('\n\n');
  client.text = frames.pop()!;
  for (const frame of frames) {
    const position = Number(/"position":(\d+)/.exec(frame.replace(/\r\n[0-9a-f]*\r\n/, ''))?.[1] ?? 0);
    if (position > 0 && client.lastPosition > 0 && position !== client.lastPosition + 1) gaps++;
    client.lastPosition = position || client.lastPosition;
  }
}

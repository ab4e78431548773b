// Loaded into the server that `dev` starts, before it: when its standard input ends, whoever started it is gone,
// however that came about, and it stops in good order.

process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume();
// Watching must not keep a server alive that has ended otherwise.
process.stdin.unref?.();

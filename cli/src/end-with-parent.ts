// Loaded into the server that `dev` starts. When standard input ends, the parent process has ended, and the server shuts down
// cleanly.

process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume();
// This listener must not keep the process of a stopped server alive.
process.stdin.unref?.();

// A process group of its own: `wrangler dev` and its workerd. Started by local-server.ts with wrangler's arguments. The group ends with
// the starting process, even if that was killed, so that an orphaned workerd never keeps the port and the data.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../tools/run-tool.ts';

function endGroup(): void {
  // Windows has no groups; workerd ends with its parent's pipes.
  if (process.platform === 'win32') process.exit();
  process.kill(-process.pid, 'SIGKILL');
}

process.on('SIGINT', () => undefined); // Ctrl-C reaches the starting process, which ends this one in turn.
process.on('SIGTERM', () => undefined); // wrangler gets the signal too and ends by itself.
process.on('disconnect', endGroup);

const wrangler = fork(join(root, 'node_modules/wrangler/wrangler-dist/cli.js'), process.argv.slice(2), {
  execArgv: ['--no-warnings'],
});
wrangler.on('message', (message) => process.send?.(message));
wrangler.on('close', endGroup);

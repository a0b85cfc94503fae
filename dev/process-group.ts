// Runs wrangler in its own process group and kills the group when wrangler ends or when standard input closes. The system
// closes standard input even after the parent gets SIGKILL, so an orphaned workerd never keeps the port.
import { runTool } from './tools.ts';

const endGroup = () => {
  if (process.platform === 'win32') process.exit();
  process.kill(-process.pid, 'SIGKILL');
};

process.stdin.resume();
process.stdin.on('close', endGroup);
process.on('SIGTERM', () => undefined); // wrangler gets the signal too and ends by itself.
await runTool('wrangler', process.argv.slice(2));
endGroup();
